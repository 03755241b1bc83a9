// getopt and its kin, as glibc has them: words that are no options are moved behind those that are, unless the text
// begins with `+` or `-`. What glibc says about mistakes on the standard error output is not said.

typedef __typeof__(sizeof 0) size_t;

void __raddle_unsupported(const char *what);

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

// What is left of a word with several short options.
static char *rest;
// Words that were passed over and are to be moved, from the first up to the second.
static int first_other, last_other;
static int is_begun;

enum { REQUIRED = 1, OPTIONAL = 2 };

// Moves the words from `last_other` up to `optind`, which are options, before those that are none.
static void exchange(char **words) {
    int others = last_other - first_other;
    for (int from = last_other; from < optind; from++) {
        char *word = words[from];
        for (int at = from; at > from - others; at--)
            words[at] = words[at - 1];
        words[from - others] = word;
    }
    first_other += optind - last_other;
    last_other = optind;
}

static int is_option(const char *word) {
    return word[0] == '-' && word[1] != 0;
}

static int is_double(const char *word) {
    return word[0] == '-' && word[1] == '-' && word[2] == 0;
}

// How many bytes of a word are the name of a long option.
static size_t name_length(const char *word) {
    size_t length = 0;
    while (word[length] && word[length] != '=')
        length++;
    return length;
}

static int begins_with(const char *name, const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (name[i] != word[i])
            return 0;
    return 1;
}

static int are_same(const struct option *one, const struct option *other) {
    return one->has_arg == other->has_arg && one->flag == other->flag && one->val == other->val;
}

// The long option that a word names, by its whole name or a beginning that no other has; -1 if there is none.
static int find(const struct option *options, const char *word, size_t length) {
    int found = -1;
    int is_ambiguous = 0;
    for (int i = 0; options[i].name; i++) {
        if (!begins_with(options[i].name, word, length))
            continue;
        if (options[i].name[length] == 0)
            return i;
        if (found < 0)
            found = i;
        else if (!are_same(&options[i], &options[found]))
            is_ambiguous = 1;
    }
    return is_ambiguous ? -1 : found;
}

static int long_option(int count, char **words, const char *text, const struct option *options, int *place, char *word) {
    size_t length = name_length(word);
    int found = find(options, word, length);
    int is_missing = text[0] == ':' ? ':' : '?';
    optind++;
    rest = 0;
    if (found < 0) {
        optopt = 0;
        return '?';
    }
    const struct option *option = &options[found];
    if (word[length] == '=') {
        if (!option->has_arg) {
            optopt = option->val;
            return '?';
        }
        optarg = word + length + 1;
    } else if (option->has_arg == REQUIRED) {
        if (optind >= count) {
            optopt = option->val;
            return is_missing;
        }
        optarg = words[optind++];
    }
    if (place)
        *place = found;
    if (option->flag) {
        *option->flag = option->val;
        return 0;
    }
    return option->val;
}

static int short_option(int count, char **words, const char *text) {
    char letter = *rest++;
    const char *known = text;
    while (*known && *known != letter)
        known++;
    if (*rest == 0)
        optind++;
    if (*known == 0 || letter == ':' || letter == ';') {
        optopt = letter;
        return '?';
    }
    if (known[0] == 'W' && known[1] == ';')
        __raddle_unsupported("`W;` in the options of `getopt`");
    if (known[1] != ':')
        return letter;
    if (*rest != 0) {
        optarg = rest;
        optind++;
    } else if (known[2] != ':') {
        if (optind >= count) {
            optopt = letter;
            rest = 0;
            return text[0] == ':' ? ':' : '?';
        }
        optarg = words[optind++];
    }
    rest = 0;
    return letter;
}

// Ends at the first word that is no option; or takes one `-` as the beginning of a long option.
enum kind { USUAL, STRICT, LONG_ONLY };

static int next(int count, char **words, const char *text, const struct option *options, int *place, enum kind kind) {
    if (count < 1)
        return -1;
    optarg = 0;
    if (optind == 0 || !is_begun) {
        if (optind == 0)
            optind = 1;
        first_other = last_other = optind;
        rest = 0;
        is_begun = 1;
    }
    char order = kind == STRICT ? '+' : 0;
    if (text[0] == '-' || text[0] == '+')
        order = *text++;
    if (!rest || !*rest) {
        if (last_other > optind)
            last_other = optind;
        if (first_other > optind)
            first_other = optind;
        if (order == 0) {
            if (first_other != last_other && last_other != optind)
                exchange(words);
            else if (last_other != optind)
                first_other = optind;
            while (optind < count && !is_option(words[optind]))
                optind++;
            last_other = optind;
        }
        if (optind != count && is_double(words[optind])) {
            optind++;
            if (first_other != last_other && last_other != optind)
                exchange(words);
            else if (first_other == last_other)
                first_other = optind;
            last_other = count;
            optind = count;
        }
        if (optind == count) {
            if (first_other != last_other)
                optind = first_other;
            return -1;
        }
        if (!is_option(words[optind])) {
            if (order == '+')
                return -1;
            optarg = words[optind++];
            return 1;
        }
        char *word = words[optind];
        if (options && word[1] == '-')
            return long_option(count, words, text, options, place, word + 2);
        if (options && kind == LONG_ONLY) {
            int is_short = 0;
            for (const char *it = text; *it; it++)
                is_short |= *it == word[1];
            if (word[2] || !is_short)
                if (find(options, word + 1, name_length(word + 1)) >= 0 || !is_short)
                    return long_option(count, words, text, options, place, word + 1);
        }
        rest = word + 1;
    }
    return short_option(count, words, text);
}

int getopt(int count, char *const *words, const char *text) {
    return next(count, (char **)words, text, 0, 0, USUAL);
}

int __posix_getopt(int count, char *const *words, const char *text) {
    return next(count, (char **)words, text, 0, 0, STRICT);
}

int getopt_long(int count, char *const *words, const char *text, const struct option *options, int *place) {
    return next(count, (char **)words, text, options, place, USUAL);
}

int getopt_long_only(int count, char *const *words, const char *text, const struct option *options, int *place) {
    return next(count, (char **)words, text, options, place, LONG_ONLY);
}
