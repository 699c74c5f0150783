// The table of calls. See calls.h.
#ifdef __linux__
#include "calls.h"

#include <errno.h>
#include <sys/syscall.h>

const struct fault_call fault_calls[] = {
#ifdef SYS_open
    {SYS_open, "open", subject_path, 1, {EIO, EMFILE, EACCES}},
#endif
    {SYS_openat, "openat", subject_path_at, 1, {EIO, EMFILE, EACCES, ENOSPC}},
    {SYS_read, "read", subject_descriptor, 1, {EIO}},
    {SYS_pread64, "pread", subject_descriptor, 1, {EIO}},
    {SYS_write, "write", subject_descriptor, 1, {ENOSPC, EIO, EDQUOT}},
    {SYS_pwrite64, "pwrite", subject_descriptor, 1, {ENOSPC, EIO, EDQUOT}},
    {SYS_mmap, "mmap", subject_none, 0, {ENOMEM}},
    {SYS_madvise, "madvise", subject_none, 0, {ENOMEM, EFAULT}},
    {SYS_fsync, "fsync", subject_descriptor, 1, {EIO, ENOSPC, EDQUOT}},
    {SYS_fdatasync, "fdatasync", subject_descriptor, 1, {EIO, ENOSPC, EDQUOT}},
#ifdef SYS_rename
    {SYS_rename, "rename", subject_target, 0, {EIO, EACCES, ENOSPC}},
#endif
    {SYS_renameat, "renameat", subject_target_at, 0, {EIO, EACCES, ENOSPC}},
    {SYS_renameat2, "renameat2", subject_target_at, 0, {EIO, EACCES, EINVAL}},
#ifdef SYS_link
    {SYS_link, "link", subject_target, 0, {EIO, EPERM, ENOSPC}},
#endif
    {SYS_linkat, "linkat", subject_target_at, 0, {EIO, EPERM, EDQUOT}},
#ifdef SYS_unlink
    {SYS_unlink, "unlink", subject_path, 0, {EIO, EPERM}},
    {SYS_rmdir, "rmdir", subject_path, 0, {EIO, EPERM}},
    {SYS_mkdir, "mkdir", subject_path, 0, {EIO, EACCES, ENOSPC}},
    {SYS_stat, "stat", subject_path, 0, {EIO, EACCES}},
    {SYS_lstat, "lstat", subject_path, 0, {EIO, EACCES}},
    {SYS_readlink, "readlink", subject_path, 0, {EIO}},
#endif
    {SYS_unlinkat, "unlinkat", subject_path_at, 0, {EIO, EPERM}},
    {SYS_mkdirat, "mkdirat", subject_path_at, 0, {EIO, EACCES, ENOSPC}},
    {SYS_newfstatat, "fstatat", subject_path_at, 0, {EIO, EACCES}},
    {SYS_statx, "statx", subject_path_at, 0, {EIO, EACCES}},
    {SYS_readlinkat, "readlinkat", subject_path_at, 0, {EIO}},
    {SYS_fstat, "fstat", subject_descriptor, 0, {EIO}},
    {SYS_statfs, "statfs", subject_path, 1, {EIO}},
    {SYS_fstatfs, "fstatfs", subject_descriptor, 1, {EIO}},
    {SYS_flock, "flock", subject_descriptor, 1, {ENOLCK, EIO}},
    {SYS_ftruncate, "ftruncate", subject_descriptor, 1, {EIO, ENOSPC, EFBIG}},
    {SYS_fallocate, "fallocate", subject_descriptor, 1, {ENOSPC, EIO, EDQUOT, EOPNOTSUPP}},
    {SYS_getdents64, "getdents", subject_descriptor, 0, {EIO}},
    {SYS_fchmod, "fchmod", subject_descriptor, 0, {EPERM, EIO}},
    {SYS_fchown, "fchown", subject_descriptor, 0, {EPERM, EDQUOT}},
    {SYS_lseek, "lseek", subject_descriptor, 0, {ESPIPE}},
    {SYS_copy_file_range, "copy_file_range", subject_descriptor, 0, {EIO, ENOSPC}},
    {SYS_clone, "clone", subject_none, 0, {EAGAIN}},
    {SYS_clone3, "clone3", subject_none, 0, {EAGAIN}},
    {SYS_getrandom, "getrandom", subject_none, 1, {EAGAIN}},
};

const int fault_call_count = sizeof fault_calls / sizeof fault_calls[0];

#endif
