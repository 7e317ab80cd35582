import Glibc
import UsherCommand

exit(await Usher.main(Array(CommandLine.arguments.dropFirst())))
