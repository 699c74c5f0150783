/* SQLite's interface, what Swift cannot call of it, and the calls that SQLite makes for every row and every cell. */
#ifndef CLIBSQLITE_H
#define CLIBSQLITE_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

/* Before SQLite's first use: its large memory is in large pages. */
void sql_prepare_memory(void);
/* The same for fresh memory of others; what is small is left alone. */
void sql_prefer_large_pages(void *start, size_t size);
/* What the last call of the system failed for, which SQLite does not tell. */
int sql_system_error(void);

/* Kinds of cells. */
enum { SQL_CELL_NULL = 0, SQL_CELL_INTEGER = 1, SQL_CELL_REAL = 2, SQL_CELL_TEXT = 3, SQL_CELL_BLOB = 4 };

/* The values of one column for the rows of a batch. */
typedef struct sql_column {
  /* Of all cells, 1 a cell; null where the column was not read yet. */
  const uint8_t *kinds;
  /* Integers, bits of doubles, or addresses of text and data. */
  const int64_t *words;
  /* Bytes of text and data. */
  const uint32_t *lengths;
  /* What realm_type tells of the cells, 1 a cell; null where it is what SQLite says. */
  const uint8_t *subtypes;
  /* Whether text and data stay where they are for as long as the statement runs. */
  int is_lasting;
} sql_column;

/* The rows of a batch by the values of a column. The memory is Swift's. */
typedef struct sql_rows {
  /* Where values are names of rows of another batch, those, and `keys` are their numbers; else null. */
  const struct sql_rows *names;
  sql_column keys;
  /* The next row with the same value, -1 for none; for as long as rows are added. */
  int32_t *next;
  /* Of a first row with a value, once rows are grouped: where those with the value end; null where all values differ. */
  int32_t *ends;
  /* The first row with a value, -1 for none. Values have slots by their hash, and the number of slots is a power of two; or they are
     whole numbers with a slot for each from `first_number` on, and the last slot is for nulls. */
  int32_t *slots;
  int64_t slot_count, first_number;
  int is_dense;
  /* What no file can foresee. */
  uint64_t seed;
} sql_rows;

/* Adds rows before those that are there; gives how many have a value that was there. */
int64_t sql_rows_add(sql_rows *rows, int64_t first, int64_t end);
/* Says in which order rows with the same value follow each other: row `order[i]` becomes row `i`. Keys are to be moved after it. */
void sql_rows_group(sql_rows *rows, int32_t *order);
/* The first row with a whole number, with nothing, with a value of SQLite; -1 for none. */
int32_t sql_rows_number(const sql_rows *rows, int64_t number);
int32_t sql_rows_empty(const sql_rows *rows);
int32_t sql_rows_first(const sql_rows *rows, sqlite3_value *value);
/* Copies for each of some whole numbers the cell of `names`, a column of the rows, that is in the first row with the number; nothing
   where there is none. `lengths` may be null where `names` has none. */
void sql_rows_copy(const sql_rows *rows, const sql_column *names, const int64_t *numbers, int64_t count,
                   uint8_t *kinds, int64_t *words, uint32_t *lengths);

/* A table's cursor. Rows are those of a batch, one after the other: all, or those with one value. */
typedef struct sql_cursor {
  sqlite3_vtab_cursor base;
  /* The Swift object that fills batches. */
  void *object;
  int64_t row, row_count;
  /* Where value `keyed_value` of the plan `keyed_plan` names rows of the batch without asking Swift if it has SQLite's type
     `keyed_type`; null for not at all. */
  const sql_rows *keyed;
  int keyed_plan, keyed_value, keyed_type;
  /* The column whose values `keyed` tells, and the first row with the value that was found: all others have the same. */
  int keyed_column;
  int64_t keyed_row;
  sql_column *columns;
  int column_count;
} sql_cursor;

typedef struct sql_table {
  sqlite3_vtab base;
  void *object;
  /* A cursor that was closed, for the next one: a subquery opens one for each row around it. Null for none. */
  sql_cursor *idle;
} sql_table;

/* Says what Swift does; results are SQLite's codes. `filter` begins with the rows that a plan finds; `refill` makes the next batch,
   with 0 rows at the end; `read` reads a column of the batch. */
void sql_set_calls(
    int (*filter)(sql_cursor *cursor, int plan, int count, sqlite3_value **values),
    int (*refill)(sql_cursor *cursor), int (*read)(sql_cursor *cursor, int column));

int sql_cursor_filter(
    sqlite3_vtab_cursor *cursor, int plan, const char *description, int count, sqlite3_value **values);
int sql_cursor_next(sqlite3_vtab_cursor *cursor);
int sql_cursor_eof(sqlite3_vtab_cursor *cursor);
int sql_cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column);

/* The time of a file's last change in nanoseconds; 0 where it cannot be told. */
int64_t sql_change_time(const char *path);

/* Work that another thread makes unwanted when so much time is over; null where there is no memory or thread for it. `last_words`:
   where the alarm is not stopped soon afterwards, the process ends with status 1, and says this; null: it goes on. */
typedef struct sql_alarm sql_alarm;
sql_alarm *sql_alarm_start(int64_t nanoseconds, const char *last_words);
/* The address of its platform_work, which lives until the alarm is stopped. */
uintptr_t sql_alarm_work(const sql_alarm *alarm);
void sql_alarm_stop(sql_alarm *alarm);

/* Bytes that the files without a name of a connection may take together. A connection is opened with its name, and closed before
   it is stopped. Null where there is no memory for it. */
typedef struct sql_space sql_space;
sql_space *sql_space_start(int64_t limit);
const char *sql_space_name(const sql_space *space);
/* Whether a file would have become larger than was allowed. */
int sql_space_was_full(const sql_space *space);
void sql_space_stop(sql_space *space);

/* From now on SQLite opens files by the paths of this process's descriptors. */
void sql_follow_own_files(void);

/* Locks what statements could leave their cage by. */
void sql_lock_down(sqlite3 *database);

static inline char *sql_copied_text(const char *text) { return sqlite3_mprintf("%s", text); }

#endif
