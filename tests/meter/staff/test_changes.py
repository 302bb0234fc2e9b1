"""Changes of the staff directory: what each does, what is refused, and what never happens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from common.auth.directory import Directory, DirectoryFault
from common.auth.roles import Role
from meter.staff.book import StaffBook
from meter.staff.changes import (
    MANAGERS,
    MOST_PEOPLE,
    AddPerson,
    ChangePerson,
    EnrolTotp,
    FirstPersons,
    LockPerson,
    OwnPin,
    RemovePerson,
    StaffChange,
    UnlockPerson,
    applied,
    words,
)
from tests.support.meter.staff_pins import ANN, DAN, FAST, SAM, SUE, TIM, staff_book

EVE = AddPerson("5001", "Eve", Role.DEALER, "930571")


def after(*changes: StaffChange) -> StaffBook:
    """Everybody's book after these changes."""
    book = staff_book()
    for change in changes:
        book = applied(book, change, cost=FAST)
    return book


def secret_of(book: StaffBook, number: str, pin: str) -> bytes | None:
    person = book.directory.person(number)
    assert person is not None
    return person.secret(pin)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"number": "12"}, "3 to 10 digits"),
        ({"number": "abc"}, "3 to 10 digits"),
        ({"number": SUE.number}, "Sue's already"),
        ({"name": "sue"}, "has this name already"),
        ({"name": "S\u200bue"}, "as a name"),
        *[({"name": name}, "as a name") for name in ("", "x" * 33, "1st", "a\nb", "<b>")],
        *[({"pin": pin}, "6 to 12 digits") for pin in ("", "12345", "12a456", "1" * 13, "١٢٣٤٥٦")],
        *[({"pin": pin}, "too easy") for pin in ("111111", "123456", "987654", "789012")],
        ({"expires_on": "31.12.2026"}, "is not a day"),
        ({"badge": "a\nb"}, "printable"),
    ],
)
def test_odd_numbers_names_pins_days_and_badges_are_refused(changed: dict[str, str], fault: str) -> None:
    """A name goes into journals and onto paper; a number and a name are one person's."""
    with pytest.raises(DirectoryFault, match=fault):
        after(replace(EVE, **changed))


def test_two_persons_with_one_pin_have_different_checks() -> None:
    """Salted: nobody sees that they share it."""
    book = after(EVE, replace(EVE, number="5002", name="Ivo"))
    assert len({person.check for person in book.directory.people}) == 7


def test_a_pin_set_by_others_opens_nothing_until_its_owner_chose_another() -> None:
    """The owner's own choice ends that, and must be another PIN."""
    book = after(ChangePerson(DAN.number, pin="700413"))
    person = book.directory.person(DAN.number)
    assert person is not None
    assert person.must_change
    with pytest.raises(DirectoryFault, match="old PIN"):
        applied(book, OwnPin(DAN.number, "700413"), cost=FAST)
    chosen = applied(book, OwnPin(DAN.number, "318207"), cost=FAST)
    own = chosen.directory.person(DAN.number)
    assert own is not None
    assert (own.must_change, own.secret("700413"), own.secret(DAN.pin)) == (False, None, None)
    assert own.secret("318207") == bytes.fromhex(chosen.secrets[DAN.number].secret)


def test_each_part_of_a_person_can_be_changed_and_the_rest_stays() -> None:
    """PIN, secret and number stay what they were."""
    change = ChangePerson(DAN.number, name="Dan B.", role=Role.SUPERVISOR, badge="0042", expires_on="2026-12-31")
    book = after(change)
    person = book.directory.holder("0042")
    assert person is not None
    assert (person.name, person.role, person.expires_on) == ("Dan B.", Role.SUPERVISOR, "2026-12-31")
    assert secret_of(book, DAN.number, DAN.pin) == secret_of(staff_book(), DAN.number, DAN.pin)
    said = "changed Dan (number 1001): name Dan B., role supervisor, badge, last day 2026-12-31"
    assert words(staff_book(), change) == said


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (ChangePerson(DAN.number), "nothing to change"),
        (ChangePerson(DAN.number, name="SUE"), "has this name already"),
        (ChangePerson(DAN.number, badge="0042"), "this badge is Tim's"),
        (ChangePerson("999", name="Eve"), "nobody has staff number 999"),
        (RemovePerson("999"), "nobody has staff number 999"),
        (UnlockPerson("999"), "nobody has staff number 999"),
        (EnrolTotp("999"), "nobody has staff number 999"),
        (FirstPersons((EVE, EVE)), "begun already"),
    ],
)
def test_what_will_not_do_is_refused_with_words(change: StaffChange, fault: str) -> None:
    """And the book is as it was: it is a value."""
    with pytest.raises(DirectoryFault, match=fault):
        after(ChangePerson(TIM.number, badge="0042"), change)


def test_locked_and_unlocked_persons_keep_their_pins() -> None:
    """Whoever was away for long comes back as he was."""
    book = after(LockPerson(DAN.number))
    person = book.directory.person(DAN.number)
    assert person is not None
    assert person.locked
    assert after(LockPerson(DAN.number), UnlockPerson(DAN.number)).directory.people == staff_book().directory.people


def test_totp_secrets_are_the_meters_and_new_each_time() -> None:
    """Nothing of them is in the directory."""
    once, again = (after(EnrolTotp(SUE.number)).secrets[SUE.number].totp for _ in range(2))
    assert once != again
    assert after(EnrolTotp(SUE.number)).directory.people == staff_book().directory.people


def test_the_first_two_must_be_able_to_go_on() -> None:
    """Two dealers could add nobody."""
    with pytest.raises(DirectoryFault, match="fewer than two supervisors"):
        applied(StaffBook(), FirstPersons((EVE, replace(EVE, number="5002", name="Ivo"))), cost=FAST)


def test_the_directory_has_an_end() -> None:
    """What must fit into one message is bounded."""
    one = staff_book().directory.people[-1]
    people = tuple(replace(one, number=str(10_000 + place)) for place in range(MOST_PEOPLE))
    with pytest.raises(DirectoryFault, match=f"holds {MOST_PEOPLE} persons"):
        applied(StaffBook(Directory(1, people)), EVE, cost=FAST)


NUMBERS = st.sampled_from([login.number for login in (DAN, SUE, SAM, TIM, ANN)])
CHANGES = st.one_of(
    st.builds(RemovePerson, NUMBERS),
    st.builds(ChangePerson, NUMBERS, role=st.sampled_from(Role)),
    st.builds(LockPerson, NUMBERS),
    st.builds(UnlockPerson, NUMBERS),
    st.builds(AddPerson, NUMBERS, st.sampled_from(["Sue", "Eve"]), st.sampled_from(Role), st.just("930571")),
)


@given(st.lists(CHANGES, max_size=8))
def test_whatever_is_changed_two_managers_are_left_and_everybody_has_one_secret(changes: list[StaffChange]) -> None:
    """Numbers and names stay unique, and the directory's number counts the changes."""
    book = staff_book()
    for change in changes:
        try:
            new = applied(book, change, cost=FAST)
        except DirectoryFault:
            continue
        assert new.directory.number == book.directory.number + 1
        book = new
    people = book.directory.people
    assert sum(person.role in MANAGERS for person in people) >= 2
    assert len({person.name for person in people}) == len({person.number for person in people}) == len(people)
    assert set(book.secrets) == {person.number for person in people}
