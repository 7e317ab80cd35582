import Glibc
import UsherCommand

exit(await Usher.main(Usher.words))
