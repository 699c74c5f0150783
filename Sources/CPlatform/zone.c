// The time zone that dates are shown in. Layer: below everything. See zone.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool is_selected;
/// What the environment said before a zone was selected by name; NULL: nothing.
static char *inherited;
static bool has_inherited;

/// The C library takes an unknown name for UTC, so it is looked up first.
static bool is_known(const char *name) {
  static const char *const folders[] = {"/usr/share/zoneinfo", "/var/db/timezone/zoneinfo", "/usr/lib/zoneinfo"};
  if (name[0] == 0 || name[0] == '/' || strstr(name, "..") != NULL) return false;
  char path[512];
  for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
    int length = snprintf(path, sizeof path, "%s/%s", folders[index], name);
    // A folder, such as `Europe`, is no zone.
    if (length > 0 && (size_t)length < sizeof path - 1 && access(path, R_OK) == 0) {
      path[length] = '/';
      path[length + 1] = 0;
      return access(path, F_OK) != 0;
    }
  }
  return false;
}

bool platform_zone_select(const char *name) {
  if (strcmp(name, "UTC") == 0) {
    is_selected = false;
    return true;
  }
  bool is_local = strcmp(name, "local") == 0;
  if (!is_local && !is_known(name)) return false;
  if (!has_inherited) {
    const char *zone = getenv("TZ");
    inherited = zone == NULL ? NULL : strdup(zone);
    has_inherited = true;
  }
  const char *zone = is_local ? inherited : name;
  if (zone == NULL) {
    unsetenv("TZ");
  } else if (setenv("TZ", zone, 1) != 0) {
    return false;
  }
  tzset();
  is_selected = true;
  return true;
}

bool platform_zone_is_selected(void) { return is_selected; }

int32_t platform_zone_offset(int64_t seconds) {
  time_t time = (time_t)seconds;
  struct tm parts;
  return localtime_r(&time, &parts) == NULL ? 0 : (int32_t)parts.tm_gmtoff;
}
