/* Files without a name, to which SQLite puts large orders and groups, with a limit for all of a connection. */
#include "CLibSQLite.h"
#include <stdio.h>
#include <stdlib.h>

struct sql_space {
  sqlite3_vfs vfs;
  sqlite3_vfs *system;
  int64_t limit, used;
  int was_full;
  char name[40];
};

typedef struct temporary_file {
  sqlite3_file base;
  sql_space *space;
  int64_t size;
  sqlite3_file *file;
} temporary_file;

static temporary_file *temporary(sqlite3_file *base) { return (temporary_file *)base; }
static sqlite3_file *inner(sqlite3_file *base) { return temporary(base)->file; }

/* Notes that a file has another size; false where that is too much. */
static int resize(temporary_file *file, int64_t size) {
  sql_space *space = file->space;
  if (size > file->size && size - file->size > space->limit - space->used) {
    space->was_full = 1;
    return 0;
  }
  space->used += size - file->size;
  file->size = size;
  return 1;
}

static int close_file(sqlite3_file *base) {
  resize(temporary(base), 0);
  return inner(base)->pMethods->xClose(inner(base));
}

static int read_file(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  return inner(base)->pMethods->xRead(inner(base), bytes, count, offset);
}

static int write_file(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  int64_t end = offset + count;
  if (end > temporary(base)->size && !resize(temporary(base), end)) return SQLITE_FULL;
  return inner(base)->pMethods->xWrite(inner(base), bytes, count, offset);
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
  if (size < temporary(base)->size) resize(temporary(base), size);
  return inner(base)->pMethods->xTruncate(inner(base), size);
}

static int sync_file(sqlite3_file *base, int flags) {
  return inner(base)->pMethods->xSync(inner(base), flags);
}

static int size_of_file(sqlite3_file *base, sqlite3_int64 *size) {
  return inner(base)->pMethods->xFileSize(inner(base), size);
}

static int lock(sqlite3_file *base, int level) { return inner(base)->pMethods->xLock(inner(base), level); }

static int unlock(sqlite3_file *base, int level) { return inner(base)->pMethods->xUnlock(inner(base), level); }

static int is_reserved(sqlite3_file *base, int *result) {
  return inner(base)->pMethods->xCheckReservedLock(inner(base), result);
}

static int control(sqlite3_file *base, int operation, void *argument) {
  /* A hint would make the file as large as it likes. */
  if (operation == SQLITE_FCNTL_SIZE_HINT) {
    int64_t size = *(int64_t *)argument, more = size - temporary(base)->size;
    if (more > temporary(base)->space->limit - temporary(base)->space->used) return SQLITE_OK;
  }
  return inner(base)->pMethods->xFileControl(inner(base), operation, argument);
}

static int sector_size(sqlite3_file *base) { return inner(base)->pMethods->xSectorSize(inner(base)); }

static int characteristics(sqlite3_file *base) {
  return inner(base)->pMethods->xDeviceCharacteristics(inner(base));
}

/* Orders read what they have written through mappings where they can. */
static int fetch(sqlite3_file *base, sqlite3_int64 offset, int count, void **bytes) {
  const sqlite3_io_methods *calls = inner(base)->pMethods;
  *bytes = NULL;
  return calls->iVersion < 3 ? SQLITE_OK : calls->xFetch(inner(base), offset, count, bytes);
}

static int give_back(sqlite3_file *base, sqlite3_int64 offset, void *bytes) {
  const sqlite3_io_methods *calls = inner(base)->pMethods;
  return calls->iVersion < 3 ? SQLITE_OK : calls->xUnfetch(inner(base), offset, bytes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 3,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_of_file,
    .xLock = lock,
    .xUnlock = unlock,
    .xCheckReservedLock = is_reserved,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xFetch = fetch,
    .xUnfetch = give_back};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *given) {
  sql_space *space = (sql_space *)vfs;
  /* Only what SQLite may take anywhere has no name. */
  if (name) return space->system->xOpen(space->system, name, base, flags, given);
  temporary_file *file = temporary(base);
  file->space = space;
  file->size = 0;
  file->file = (sqlite3_file *)(file + 1);
  int code = space->system->xOpen(space->system, name, file->file, flags, given);
  base->pMethods = file->file->pMethods ? &methods : NULL;
  return code;
}

sql_space *sql_space_start(int64_t limit) {
  sql_space *space = calloc(1, sizeof *space);
  sqlite3_vfs *system = sqlite3_vfs_find(NULL);
  if (!space || !system) {
    free(space);
    return NULL;
  }
  space->system = system;
  space->limit = limit;
  /* All but the opening of files is the system's, which looks at no more of this than a copy of its own has. */
  space->vfs = *system;
  space->vfs.pNext = NULL;
  space->vfs.szOsFile += sizeof(temporary_file);
  space->vfs.xOpen = open_file;
  snprintf(space->name, sizeof space->name, "space-%p", (void *)space);
  space->vfs.zName = space->name;
  if (sqlite3_vfs_register(&space->vfs, 0) != SQLITE_OK) {
    free(space);
    return NULL;
  }
  return space;
}

const char *sql_space_name(const sql_space *space) { return space->name; }

int sql_space_was_full(const sql_space *space) { return space->was_full; }

void sql_space_stop(sql_space *space) {
  sqlite3_vfs_unregister(&space->vfs);
  free(space);
}
