#ifndef USHER_CLINUX_H
#define USHER_CLINUX_H

// The Linux interfaces that Reactor stands on, and the few that Swift cannot express.

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// The calling thread's errno, which is a macro.
int linux_errno(void);

/// What an errno means, in English; never null, and never freed.
const char *linux_error_text(int number);

/// Marks the calling thread as the one that runs the loop `loop` (its epoll descriptor), until `linux_leave_loop`.
void linux_enter_loop(int loop);
void linux_leave_loop(void);

/// Whether the calling thread runs the loop `loop`. A thread-local of our own: `pthread_self` is reused.
bool linux_is_loop(int loop);

/// `open(path, flags | O_CLOEXEC, mode)`: variadic in C.
int linux_open(const char *path, int flags, unsigned mode);

/// `pipe2(2)`, both ends closed on exec, the reading end non-blocking, the writing end as asked.
int linux_pipe(int *reading, int *writing, bool writing_blocks);

/// How many processors the calling thread may run on (sched_getaffinity(2), as `nproc` and `taskset` have it).
int linux_usable_processors(void);

/// Names the calling thread; the kernel takes at most 15 bytes.
int linux_name_thread(const char *name);

/// Accepts a connection, non-blocking and closed on exec.
int linux_accept(int listener);

/// `pidfd_send_signal(2)`: reaches this process or nobody, never one that got its number since.
int linux_pidfd_signal(int pidfd, int signal);

/// `pidfd_open(2)`: a descriptor that becomes readable when the process ends.
int linux_pidfd_open(pid_t process);

/// Waits, without blocking, for the child behind a pidfd. Returns -1 (errno), 0 (still running), or 1 with `*code` its
/// exit code or signal and `*signaled` saying which.
int linux_pidfd_reap(int pidfd, int *code, bool *signaled);

/// Prepares `attributes` so that the child leads a process group of its own, with no signal blocked and the ones
/// that a server ignores or catches set back to their defaults.
int linux_spawn_attributes(posix_spawnattr_t *attributes);

/// The child starts in `folder`.
int linux_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder);

/// The child starts with no descriptor from `first` on, whoever opened it, and however.
int linux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/// This process's environment.
char **linux_environment(void);

/// From now on `signal` is written as one byte to `descriptor` (non-blocking) instead of ending the process.
int linux_catch_signal(int signal, int descriptor);

/// Ignores `signal` from now on.
int linux_ignore_signal(int signal);

#endif
