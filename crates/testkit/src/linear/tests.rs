//! Histories that could have happened, and histories that could not.

use super::*;

/// A register: a write sets it, a read saw this.
struct Register;

#[derive(Debug, Clone, Copy)]
enum Call {
    Write(u8),
    Read(u8),
}
use Call::{Read, Write};

impl Model for Register {
    type State = u8;
    type Call = Call;

    fn initial(&self) -> u8 {
        0
    }

    fn step(&self, state: &u8, call: &Call) -> Option<u8> {
        match call {
            Write(value) => Some(*value),
            Read(seen) => (seen == state).then_some(*state),
        }
    }
}

fn holds(history: &[(Call, u64, End)]) -> bool {
    let all: Vec<_> = history
        .iter()
        .map(|(call, began, end)| Operation { call: *call, began: *began, end: *end })
        .collect();
    check(&Register, &all).is_ok()
}

#[test]
fn calls_one_after_the_other_see_each_other() {
    assert!(holds(&[(Write(1), 0, End::At(1)), (Read(1), 2, End::At(3))]));
    assert!(!holds(&[(Write(1), 0, End::At(1)), (Read(0), 2, End::At(3))]), "a stale read");
    assert!(!holds(&[(Read(1), 0, End::At(1)), (Write(1), 2, End::At(3))]), "a read of the future");
}

#[test]
fn calls_that_overlap_may_have_any_order_but_only_one() {
    let write = (Write(1), 0, End::At(10));
    assert!(holds(&[write, (Read(0), 1, End::At(2)), (Read(1), 3, End::At(4))]));
    assert!(!holds(&[write, (Read(1), 1, End::At(2)), (Read(0), 3, End::At(4))]), "it goes back");
    let two = [(Write(1), 0, End::At(10)), (Write(2), 0, End::At(10))];
    for (first, second, fine) in [(1, 2, true), (2, 1, true), (1, 1, true)] {
        let reads = [(Read(first), 11, End::At(12)), (Read(second), 13, End::At(14))];
        assert_eq!(holds(&[two[0], two[1], reads[0], reads[1]]), fine && first == second, "{first} {second}");
    }
}

#[test]
fn an_unknown_call_takes_effect_at_any_later_time_or_never_and_once() {
    let unknown = (Write(1), 0, End::Unknown);
    assert!(holds(&[unknown, (Read(0), 5, End::At(6))]));
    assert!(holds(&[unknown, (Read(0), 5, End::At(6)), (Read(1), 700, End::At(701))]));
    assert!(!holds(&[(Read(1), 0, End::At(1)), (Write(1), 2, End::Unknown)]), "not before it began");
    let twice = [
        unknown,
        (Read(1), 5, End::At(6)),
        (Write(2), 7, End::At(8)),
        (Read(2), 9, End::At(10)),
        (Read(1), 11, End::At(12)),
    ];
    assert!(!holds(&twice), "its one effect was seen before");
}

#[test]
fn a_call_that_perhaps_took_effect_did_so_before_its_end() {
    let perhaps = (Write(1), 0, End::Perhaps(10));
    assert!(holds(&[perhaps, (Read(1), 11, End::At(12))]));
    assert!(holds(&[perhaps, (Read(0), 11, End::At(12))]));
    assert!(!holds(&[perhaps, (Read(0), 11, End::At(12)), (Read(1), 13, End::At(14))]));
}

#[test]
fn many_unknown_calls_do_not_make_the_search_explode() {
    let mut history: Vec<Operation<Call>> =
        (0..16).map(|n| Operation { call: Write(1), began: n, end: End::Unknown }).collect();
    for n in 0..200 {
        let (write, read) = (Write(2 + (n % 2) as u8), Read(2 + (n % 2) as u8));
        history.push(Operation { call: write, began: 100 + n * 10, end: End::At(101 + n * 10) });
        history.push(Operation { call: read, began: 102 + n * 10, end: End::At(103 + n * 10) });
    }
    assert!(check(&Register, &history).is_ok_and(|most| most < 100));
}

#[test]
fn the_call_that_makes_no_sense_is_named() {
    let history = [
        Operation { call: Write(1), began: 0, end: End::At(1) },
        Operation { call: Read(7), began: 2, end: End::At(3) },
    ];
    let violation = check(&Register, &history).unwrap_err();
    assert_eq!(violation.operation, 1);
    assert!(violation.explanation.contains("Read(7)"), "{}", violation.explanation);
}

#[test]
fn a_search_that_would_take_too_long_comes_to_no_verdict() {
    let history = [
        Operation { call: Write(1), began: 0, end: End::At(9) },
        Operation { call: Write(2), began: 0, end: End::At(9) },
        Operation { call: Read(7), began: 10, end: End::At(11) },
    ];
    assert!(check_within(&Register, &history, 2).is_none());
    assert!(check_within(&Register, &history, 1_000).is_some_and(|verdict| verdict.is_err()));
}
