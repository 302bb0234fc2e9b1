/* Deals every pai gow hand there is, C(53,7) of them, tries all 21 divisions of each, and prints how many hands have
 * which marks. It shares no code with games/odds and no method: it is the yardstick of its counts and of its speed.
 *
 * A card is 4 * rank + suit, rank 0 being the two and 12 the ace; 52 is the joker. The marks are those of
 * games/odds/pai_gow.py. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOKER = 52, CARDS = 53, ACE = 12, KING = 11, QUEEN = 10 };

enum {
    FIVE_ACES = 1 << 0, NATURAL_ROYAL = 1 << 1, JOKER_ROYAL = 1 << 2, NATURAL_STRAIGHT_FLUSH = 1 << 3,
    JOKER_STRAIGHT_FLUSH = 1 << 4, QUADS = 1 << 5, FULL_HOUSE = 1 << 6, FLUSH = 1 << 7, STRAIGHT = 1 << 8,
    TRIPS = 1 << 9, PAIR_SHIFT = 10,
    SEVEN_NATURAL = 1 << 20, SEVEN_WITH_JOKER = 1 << 21, KING_QUEEN_MATCH = 1 << 22, ACE_KING_MATCH = 1 << 23,
    HIGH_CARD_SHIFT = 24
};

static uint32_t choose[CARDS + 1][8];
static uint16_t *five_marks;

static int rank_of(int card) { return card == JOKER ? ACE : card / 4; }

/* Whether these ranks, of which at most `missing` may be filled in, lie in one straight of this length. */
static int in_a_row(unsigned ranks, int length, int missing)
{
    unsigned wheel = 1u << ACE | ((1u << (length - 1)) - 1);
    if (__builtin_popcount(ranks) + missing < length)
        return 0;
    for (int low = 0; low + length <= 13; low++)
        if ((ranks & ~(((1u << length) - 1) << low)) == 0)
            return 1;
    return (ranks & ~wheel) == 0;
}

static uint16_t classify(const int *five)
{
    int times[13] = {0}, joker = 0, suit = -1, flush = 1;
    unsigned ranks = 0;
    for (int i = 0; i < 5; i++) {
        times[rank_of(five[i])]++;
        if (five[i] == JOKER) {
            joker = 1;
            continue;
        }
        ranks |= 1u << rank_of(five[i]);
        if (suit >= 0 && suit != five[i] % 4)
            flush = 0;
        suit = five[i] % 4;
    }
    int most = 0, second = 0;
    for (int rank = 0; rank < 13; rank++) {
        if (times[rank] > most) {
            second = most;
            most = times[rank];
        } else if (times[rank] > second) {
            second = times[rank];
        }
    }
    int distinct = __builtin_popcount(ranks) == 5 - joker;
    int row = distinct && in_a_row(ranks, 5, joker);
    int broadway = row && (ranks & ~(31u << 8)) == 0;
    if (most == 5)
        return FIVE_ACES;
    if (flush && distinct && broadway)
        return joker ? JOKER_ROYAL : NATURAL_ROYAL;
    if (flush && row)
        return joker ? JOKER_STRAIGHT_FLUSH : NATURAL_STRAIGHT_FLUSH;
    if (most == 4)
        return QUADS;
    if (most == 3 && second == 2)
        return FULL_HOUSE;
    if (flush && distinct)
        return FLUSH;
    if (row)
        return STRAIGHT;
    return most == 3 ? TRIPS : 0;
}

static void prepare(void)
{
    for (int n = 0; n <= CARDS; n++) {
        choose[n][0] = 1;
        for (int k = 1; k < 8; k++)
            choose[n][k] = n ? choose[n - 1][k - 1] + choose[n - 1][k] : 0;
    }
    five_marks = malloc(choose[CARDS][5] * sizeof *five_marks);
    if (!five_marks)
        exit(1);
    int c[5];
    uint32_t place = 0;
    for (c[4] = 4; c[4] < CARDS; c[4]++)
        for (c[3] = 3; c[3] < c[4]; c[3]++)
            for (c[2] = 2; c[2] < c[3]; c[2]++)
                for (c[1] = 1; c[1] < c[2]; c[1]++)
                    for (c[0] = 0; c[0] < c[1]; c[0]++)
                        five_marks[place++] = classify(c);
}

/* What the two cards beside a royal make of it. */
static uint64_t match(int one, int other, int royal)
{
    if (one == JOKER || other == JOKER || one % 4 != other % 4)
        return 0;
    unsigned ranks = 1u << one / 4 | 1u << other / 4;
    if (ranks == (1u << KING | 1u << QUEEN))
        return KING_QUEEN_MATCH;
    return ranks == (1u << ACE | 1u << KING) && royal == NATURAL_ROYAL ? ACE_KING_MATCH : 0;
}

static uint64_t of_all_seven(const int *c)
{
    int joker = c[6] == JOKER, suits[4] = {0}, longest = 0;
    unsigned natural = 0, all = 0;
    for (int i = 0; i < 7; i++) {
        all |= 1u << rank_of(c[i]);
        if (c[i] == JOKER)
            continue;
        natural |= 1u << rank_of(c[i]);
        if (++suits[c[i] % 4] > longest)
            longest = suits[c[i] % 4];
    }
    uint64_t marks = 0;
    if (longest == 7 - joker && in_a_row(natural, 7, joker))
        marks |= joker ? SEVEN_WITH_JOKER : SEVEN_NATURAL;
    if (__builtin_popcount(all) < 7 || longest >= 5)
        return marks;
    unsigned low = (all >> ACE & 1) | all << 1;
    if (low & low >> 1 & low >> 2 & low >> 3 & low >> 4)
        return marks;
    return marks | UINT64_C(1) << (HIGH_CARD_SHIFT + 31 - __builtin_clz(all));
}

/* Every division: the places of the five cards, then of the two. */
static int divisions[21][7];

static void divide(void)
{
    int division = 0;
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 7; j++, division++) {
            int at = 0;
            for (int k = 0; k < 7; k++)
                if (k != i && k != j)
                    divisions[division][at++] = k;
            divisions[division][5] = i;
            divisions[division][6] = j;
        }
}

static uint64_t marks_of(const int *c)
{
    uint64_t marks = of_all_seven(c);
    for (int division = 0; division < 21; division++) {
        const int *at = divisions[division];
        uint64_t five = five_marks[choose[c[at[0]]][1] + choose[c[at[1]]][2] + choose[c[at[2]]][3] +
                                   choose[c[at[3]]][4] + choose[c[at[4]]][5]];
        if (!five)
            continue;
        int one = c[at[5]], other = c[at[6]];
        marks |= rank_of(one) == rank_of(other) ? five << PAIR_SHIFT : five;
        if (five & (NATURAL_ROYAL | JOKER_ROYAL))
            marks |= match(one, other, (int)five);
    }
    return marks;
}

enum { SLOTS = 1 << 12 };
static struct { uint64_t marks; uint64_t hands; } slots[SLOTS];

static void count(uint64_t marks)
{
    uint64_t at = marks * UINT64_C(0x9E3779B97F4A7C15) >> 52;
    while (slots[at].hands && slots[at].marks != marks)
        at = (at + 1) % SLOTS;
    slots[at].marks = marks;
    slots[at].hands++;
}

int main(void)
{
    int c[7];
    prepare();
    divide();
    for (c[0] = 0; c[0] < CARDS; c[0]++)
        for (c[1] = c[0] + 1; c[1] < CARDS; c[1]++)
            for (c[2] = c[1] + 1; c[2] < CARDS; c[2]++)
                for (c[3] = c[2] + 1; c[3] < CARDS; c[3]++)
                    for (c[4] = c[3] + 1; c[4] < CARDS; c[4]++)
                        for (c[5] = c[4] + 1; c[5] < CARDS; c[5]++)
                            for (c[6] = c[5] + 1; c[6] < CARDS; c[6]++)
                                count(marks_of(c));
    for (int at = 0; at < SLOTS; at++)
        if (slots[at].hands)
            printf("%" PRIu64 " %" PRIu64 "\n", slots[at].marks, slots[at].hands);
    return 0;
}
