/* GLib requires gettext, which some C libraries lack. Its messages are never shown, so this library
 * returns them untranslated. */
#ifndef THRU_LIBINTL_H
#define THRU_LIBINTL_H

#ifdef __cplusplus
extern "C" {
#endif

char *gettext(const char *message);
char *dgettext(const char *domain, const char *message);
char *dcgettext(const char *domain, const char *message, int category);
char *ngettext(const char *one, const char *many, unsigned long count);
char *dngettext(const char *domain, const char *one, const char *many, unsigned long count);
char *textdomain(const char *domain);
char *bindtextdomain(const char *domain, const char *folder);
char *bind_textdomain_codeset(const char *domain, const char *encoding);

#ifdef __cplusplus
}
#endif

#endif
