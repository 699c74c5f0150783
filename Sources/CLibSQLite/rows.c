/* The rows of a batch by the values of one of its columns: what joins look up, and what links lead to. */
#include "CLibSQLite.h"
#include <string.h>

static uint64_t mixed(uint64_t left, uint64_t right) {
  unsigned __int128 product = (unsigned __int128)left * right;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static const uint64_t factor = 0x9E3779B97F4A7C15, other_factor = 0xD6E8FEB86659FD93;

static uint64_t hash_of(const sql_rows *rows, int kind, int64_t word, uint32_t length) {
  uint64_t hash = rows->seed ^ ((uint64_t)kind << 32) ^ length;
  if (kind != SQL_CELL_TEXT && kind != SQL_CELL_BLOB) return mixed(hash ^ (uint64_t)word, factor);
  const char *bytes = (const char *)(intptr_t)word;
  uint64_t part;
  for (; length > sizeof part; bytes += sizeof part, length -= sizeof part) {
    memcpy(&part, bytes, sizeof part);
    hash = mixed(hash ^ part, factor);
  }
  part = 0;
  memcpy(&part, bytes, length);
  return mixed(mixed(hash ^ part, factor), other_factor);
}

static int64_t word_of(const sql_column *keys, int64_t row) {
  return keys->kinds[row] == SQL_CELL_NULL ? 0 : keys->words[row];
}

static uint32_t length_of(const sql_column *keys, int64_t row) {
  return keys->kinds[row] == SQL_CELL_TEXT || keys->kinds[row] == SQL_CELL_BLOB ? keys->lengths[row] : 0;
}

static int is_value(const sql_column *keys, int64_t row, int kind, int64_t word, uint32_t length) {
  if (keys->kinds[row] != kind) return 0;
  switch (kind) {
    case SQL_CELL_NULL: return 1;
    case SQL_CELL_TEXT:
    case SQL_CELL_BLOB:
      return keys->lengths[row] == length &&
             (keys->words[row] == word ||
              memcmp((const void *)(intptr_t)keys->words[row], (const void *)(intptr_t)word, length) == 0);
    default: return keys->words[row] == word;
  }
}

/* Where the slot of a value is looked for first; negative where there can be none. */
static int64_t place_of(const sql_rows *rows, int kind, int64_t word, uint32_t length) {
  if (!rows->is_dense) return (int64_t)(hash_of(rows, kind, word, length) & ((uint64_t)rows->slot_count - 1));
  if (kind == SQL_CELL_NULL) return rows->slot_count - 1;
  uint64_t place = (uint64_t)word - (uint64_t)rows->first_number;
  return kind == SQL_CELL_INTEGER && place < (uint64_t)rows->slot_count - 1 ? (int64_t)place : -1;
}

/* The slot of a value that is looked for at `place`: that of its first row, or the one where this would be; null where no slot
   can be. */
static int32_t *slot_from(const sql_rows *rows, int64_t place, int kind, int64_t word, uint32_t length) {
  if (place < 0) return NULL;
  while (!rows->is_dense && rows->slots[place] >= 0 &&
         !is_value(&rows->keys, rows->slots[place], kind, word, length)) {
    place = (place + 1) & (rows->slot_count - 1);
  }
  return &rows->slots[place];
}

static int32_t *slot_of(const sql_rows *rows, int kind, int64_t word, uint32_t length) {
  return slot_from(rows, place_of(rows, kind, word, length), kind, word, length);
}

/* Rows whose places are asked of memory together: they lie anywhere in it. */
enum { rows_together = 32 };

int64_t sql_rows_add(sql_rows *rows, int64_t first, int64_t end) {
  const sql_column *keys = &rows->keys;
  int64_t known = 0;
  while (end > first) {
    int64_t places[rows_together], start = end - first < rows_together ? first : end - rows_together;
    for (int64_t row = start; row < end; row++) {
      int kind = keys->kinds[row];
      int64_t place = place_of(rows, kind, word_of(keys, row), length_of(keys, row));
      places[row - start] = place;
      if (place >= 0) __builtin_prefetch(&rows->slots[place], 1);
    }
    while (end-- > start) {
      int32_t *slot = slot_from(
          rows, places[end - start], keys->kinds[end], word_of(keys, end), length_of(keys, end));
      rows->next[end] = slot ? *slot : -1;
      known += rows->next[end] >= 0;
      if (slot) *slot = (int32_t)end;
    }
    end = start;
  }
  return known;
}

void sql_rows_group(sql_rows *rows, int32_t *order) {
  int32_t place = 0;
  for (int64_t slot = 0; slot < rows->slot_count; slot++) {
    int32_t row = rows->slots[slot], first = place;
    if (row < 0) continue;
    for (; row >= 0; row = rows->next[row]) order[place++] = row;
    rows->slots[slot] = first;
    rows->ends[first] = place;
  }
}

int32_t sql_rows_number(const sql_rows *rows, int64_t number) {
  int32_t *slot = slot_of(rows, SQL_CELL_INTEGER, number, 0);
  return slot ? *slot : -1;
}

void sql_rows_copy(const sql_rows *rows, const sql_column *names, const int64_t *numbers, int64_t count,
                   uint8_t *kinds, int64_t *words, uint32_t *lengths) {
  for (int64_t start = 0; start < count; start += rows_together) {
    int64_t end = start + rows_together < count ? start + rows_together : count;
    int32_t found[rows_together];
    for (int64_t i = start; i < end; i++) {
      int64_t place = place_of(rows, SQL_CELL_INTEGER, numbers[i], 0);
      if (place >= 0) __builtin_prefetch(&rows->slots[place]);
    }
    for (int64_t i = start; i < end; i++) {
      int32_t row = found[i - start] = sql_rows_number(rows, numbers[i]);
      if (row < 0) continue;
      __builtin_prefetch(&names->kinds[row]);
      __builtin_prefetch(&names->words[row]);
      if (lengths && names->lengths) __builtin_prefetch(&names->lengths[row]);
    }
    for (int64_t i = start; i < end; i++) {
      int32_t row = found[i - start];
      if (row < 0) continue;
      kinds[i] = names->kinds[row];
      words[i] = word_of(names, row);
      if (lengths) lengths[i] = length_of(names, row);
    }
  }
}

int32_t sql_rows_empty(const sql_rows *rows) {
  int32_t *slot = slot_of(rows, SQL_CELL_NULL, 0, 0);
  return slot ? *slot : -1;
}

int32_t sql_rows_first(const sql_rows *rows, sqlite3_value *value) {
  if (sqlite3_value_type(value) == SQLITE_NULL) return sql_rows_empty(rows);
  if (rows->names) {
    int32_t name = sql_rows_first(rows->names, value);
    return name < 0 ? -1 : sql_rows_number(rows, name);
  }
  if (sqlite3_value_type(value) == SQLITE_INTEGER) return sql_rows_number(rows, sqlite3_value_int64(value));
  const unsigned char *text = sqlite3_value_text(value);
  int32_t *slot = slot_of(rows, SQL_CELL_TEXT, (int64_t)(intptr_t)text, (uint32_t)sqlite3_value_bytes(value));
  return slot ? *slot : -1;
}
