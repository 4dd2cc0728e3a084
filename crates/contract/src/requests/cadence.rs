//! The heartbeat cadence: `manual` or five-field cron text in UTC, and the next moment it names
//! (contract section 3.2, "heartbeatCadence").

/// Most characters of a cadence.
pub const CADENCE_MAX: usize = 64;

const MONTHS: [&str; 12] = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];
const DAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const MINUTES_PER_DAY: i64 = 1440;
/// How many days ahead a slot is looked for: a leap day can be eight years away.
const HORIZON_DAYS: i64 = 366 * 9;

/// A parsed cron text: for each field the set of values as bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cadence {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    any_day: bool,
    any_weekday: bool,
}

/// Whether the text stands for "only by hand".
pub fn is_manual(text: &str) -> bool {
    text.trim() == "manual"
}

/// Parses five-field cron text; `None` when it is not one. Fields hold `*`, numbers, names of
/// months and days, ranges, lists and steps.
pub fn parse(text: &str) -> Option<Cadence> {
    if text.len() > CADENCE_MAX {
        return None;
    }
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let [minute, hour, day, month, weekday] = fields.as_slice() else {
        return None;
    };
    let mut weekdays = field(weekday, 0, 7, &DAYS, 0)?;
    if weekdays & (1 << 7) != 0 {
        weekdays |= 1;
    }
    Some(Cadence {
        minutes: field(minute, 0, 59, &[], 0)?,
        hours: field(hour, 0, 23, &[], 0)?,
        days: field(day, 1, 31, &[], 0)?,
        months: field(month, 1, 12, &MONTHS, 1)?,
        weekdays,
        any_day: day.starts_with('*'),
        any_weekday: weekday.starts_with('*'),
    })
}

fn field(text: &str, low: u32, high: u32, names: &[&str], first_name: u32) -> Option<u64> {
    let value = |text: &str| -> Option<u32> {
        let place = names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(text));
        let number = match place {
            Some(place) => u32::try_from(place).ok()? + first_name,
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok()?,
            None => return None,
        };
        (low..=high).contains(&number).then_some(number)
    };
    let mut bits = 0_u64;
    for part in text.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) if step.bytes().all(|byte| byte.is_ascii_digit()) => {
                (range, step.parse::<u32>().ok().filter(|step| *step > 0)?)
            }
            Some(_) => return None,
            None => (part, 1),
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (low, high),
            Some((from, to)) => (value(from)?, value(to)?),
            // A step needs a range or a star before it.
            None if step > 1 || part.contains('/') => return None,
            None => {
                let number = value(range)?;
                (number, number)
            }
        };
        if from > to {
            return None;
        }
        let mut number = from;
        while number <= to {
            bits |= 1 << number;
            number += step;
        }
    }
    Some(bits)
}

impl Cadence {
    /// The first slot strictly after a moment, both in whole minutes since 1970-01-01 UTC; `None`
    /// when no day ever fits (such as 31 February).
    pub fn next_after(&self, minute: i64) -> Option<i64> {
        let start = minute + 1;
        let first_day = start.div_euclid(MINUTES_PER_DAY);
        for day in first_day..=first_day + HORIZON_DAYS {
            if !self.includes_day(day) {
                continue;
            }
            let from = if day == first_day {
                start.rem_euclid(MINUTES_PER_DAY)
            } else {
                0
            };
            let slot = (from..MINUTES_PER_DAY).find(|slot| {
                self.hours & (1 << (slot / 60)) != 0 && self.minutes & (1 << (slot % 60)) != 0
            });
            if let Some(slot) = slot {
                return Some(day * MINUTES_PER_DAY + slot);
            }
        }
        None
    }

    fn includes_day(&self, days_since_1970: i64) -> bool {
        let (month, day) = month_and_day(days_since_1970);
        let weekday = (days_since_1970 + 4).rem_euclid(7);
        let by_day = self.days & (1 << day) != 0;
        let by_weekday = self.weekdays & (1 << weekday) != 0;
        // As in cron: when both fields are restricted, either may match.
        let fits = if self.any_day || self.any_weekday {
            by_day && by_weekday
        } else {
            by_day || by_weekday
        };
        self.months & (1 << month) != 0 && fits
    }
}

/// Month (1 to 12) and day of the month of a day counted from 1970-01-01, in the proleptic
/// Gregorian calendar.
fn month_and_day(days_since_1970: i64) -> (i64, i64) {
    let shifted = days_since_1970 + 719_468;
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Minutes since 1970 of a moment in 2026.
    fn minute(day_of_year: i64, hour: i64, minute: i64) -> i64 {
        const FIRST_OF_2026: i64 = 20_454;
        (FIRST_OF_2026 + day_of_year - 1) * MINUTES_PER_DAY + hour * 60 + minute
    }

    fn next(text: &str, after: i64) -> Option<i64> {
        parse(text).unwrap().next_after(after)
    }

    #[test]
    fn reads_the_documented_grammar() {
        for good in [
            "* * * * *",
            "*/15 * * * *",
            "0 9 * * 1-5",
            "0 9 1,15 * *",
            "0 0 1 JAN-MAR *",
            "0 0 * dec SUN,sat",
            "10-50/10 * * * *",
            "0 0 * * 7",
        ] {
            assert!(parse(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "manual",
            "* * * *",
            "* * * * * *",
            "60 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "* * * * 8",
            "5/10 * * * *",
            "*/0 * * * *",
            "9-5 * * * *",
            "L * * * *",
            "* * 1W * *",
            "* * * * 1#2",
            "? * * * *",
            "@daily",
            "1, * * * *",
            "-1 * * * *",
            "+1 * * * *",
            "* * * * MON-",
        ] {
            assert!(parse(bad).is_none(), "{bad}");
        }
        assert!(
            parse(&format!("0 0 1 1 {}", "1,".repeat(30))).is_none(),
            "too long"
        );
        assert!(is_manual(" manual ") && !is_manual("Manual"));
    }

    #[test]
    fn names_the_next_slot_strictly_after() {
        // 1 January 2026 is a Thursday.
        assert_eq!(next("* * * * *", minute(1, 0, 0)), Some(minute(1, 0, 1)));
        assert_eq!(next("0 9 * * *", minute(1, 9, 0)), Some(minute(2, 9, 0)));
        assert_eq!(next("0 9 * * *", minute(1, 8, 59)), Some(minute(1, 9, 0)));
        assert_eq!(
            next("*/15 * * * *", minute(1, 23, 50)),
            Some(minute(2, 0, 0))
        );
        assert_eq!(next("0 9 * * 1", minute(1, 0, 0)), Some(minute(5, 9, 0)));
        assert_eq!(next("0 9 * * SUN", minute(1, 0, 0)), Some(minute(4, 9, 0)));
        assert_eq!(next("0 9 * * 7", minute(1, 0, 0)), Some(minute(4, 9, 0)));
        assert_eq!(next("0 0 1 3 *", minute(1, 0, 0)), Some(minute(60, 0, 0)));
        // With both day fields restricted, either may match.
        assert_eq!(next("0 0 3 * FRI", minute(1, 0, 0)), Some(minute(2, 0, 0)));
        assert_eq!(next("0 0 3 * MON", minute(1, 0, 0)), Some(minute(3, 0, 0)));
    }

    #[test]
    fn leap_days_are_found_and_impossible_days_are_not() {
        let leap_day_2028 = (21_184 + 59) * MINUTES_PER_DAY;
        assert_eq!(next("0 0 29 2 *", minute(1, 0, 0)), Some(leap_day_2028));
        assert_eq!(next("0 0 31 2 *", minute(1, 0, 0)), None);
    }
}
