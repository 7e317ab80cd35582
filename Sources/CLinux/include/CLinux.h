#ifndef USHER_CLINUX_H
#define USHER_CLINUX_H
#include <sys/epoll.h>
#endif
