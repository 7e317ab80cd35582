#define _GNU_SOURCE
#include "CLinux.h"

#include <sched.h>
#include <sys/pidfd.h>
#include <sys/syscall.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

int linux_errno(void) { return errno; }

const char *linux_error_text(int number) {
  const char *text = strerrordesc_np(number);
  return text ? text : "unknown error";
}

static _Thread_local int current_loop = -1;

void linux_enter_loop(int loop) { current_loop = loop; }
void linux_leave_loop(void) { current_loop = -1; }
bool linux_is_loop(int loop) { return current_loop == loop; }

int linux_open(const char *path, int flags, unsigned mode) { return open(path, flags | O_CLOEXEC, mode); }

int linux_pipe(int *reading, int *writing, bool writing_blocks) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | (writing_blocks ? 0 : O_NONBLOCK)) != 0) return -1;
  if (writing_blocks) fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *reading = ends[0];
  *writing = ends[1];
  return 0;
}

int linux_usable_processors(void) {
  cpu_set_t usable;
  // It fails where the machine has more processors than a set names: then they are all ours.
  if (sched_getaffinity(0, sizeof usable, &usable)) return (int)sysconf(_SC_NPROCESSORS_ONLN);
  return CPU_COUNT(&usable);
}

int linux_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

int linux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int linux_pidfd_signal(int pidfd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

int linux_pidfd_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int linux_pidfd_reap(int pidfd, int *code, bool *signaled) {
  siginfo_t info = {0};
  if (waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED | WNOHANG) != 0) return -1;
  if (info.si_pid == 0) return 0;
  *code = info.si_status;
  *signaled = info.si_code != CLD_EXITED;
  return 1;
}

int linux_spawn_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  const int signals[] = {SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGCHLD};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&defaults, signals[i]);
  int failure = posix_spawnattr_setsigmask(attributes, &none);
  if (!failure) failure = posix_spawnattr_setsigdefault(attributes, &defaults);
  if (!failure) failure = posix_spawnattr_setpgroup(attributes, 0);
  if (!failure)
    failure = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  return failure;
}

int linux_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int linux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

char **linux_environment(void) { return environ; }

// Only async-signal-safe calls below: a relaxed load of a lock-free int, and write(2).
static _Atomic int signal_descriptor = -1;

static void pass_on(int signal) {
  const int saved = errno;
  const unsigned char byte = (unsigned char)signal;
  ssize_t ignored = write(signal_descriptor, &byte, 1);
  (void)ignored;
  errno = saved;
}

int linux_catch_signal(int signal, int descriptor) {
  signal_descriptor = descriptor;
  struct sigaction action = {0};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(signal, &action, NULL);
}

int linux_ignore_signal(int signal) {
  struct sigaction action = {0};
  action.sa_handler = SIG_IGN;
  sigemptyset(&action.sa_mask);
  return sigaction(signal, &action, NULL);
}
