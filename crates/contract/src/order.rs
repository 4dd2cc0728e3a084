//! Sorting whose code exists once. The standard sort is compiled anew for every type and every
//! comparison, three kilobytes each, which the dashboard would have to download.

use std::cmp::Ordering;

/// The items in ascending order; equal ones keep theirs.
pub fn sorted_by<T>(items: Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) -> Vec<T> {
    let order = places(
        items.len(),
        &mut |left, right| match (items.get(left), items.get(right)) {
            (Some(left), Some(right)) => compare(left, right),
            (left, right) => left.is_some().cmp(&right.is_some()),
        },
    );
    let mut slots: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order
        .into_iter()
        .filter_map(|place| slots.get_mut(place)?.take())
        .collect()
}

fn places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|left, right| compare(*left, *right));
    places
}

#[cfg(test)]
mod tests {
    use super::sorted_by;

    #[test]
    fn equal_items_keep_their_order_and_none_is_lost() {
        let items: Vec<(u32, u32)> = (0..200).map(|at| (at * 7 % 13, at)).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|(key, _)| *key);
        assert_eq!(
            sorted_by(items, |left, right| left.0.cmp(&right.0)),
            expected
        );
        assert_eq!(sorted_by(Vec::<u8>::new(), Ord::cmp), Vec::<u8>::new());
    }
}
