//! Reading request bodies and queries: validation with the contract's wording (section 1.1), as
//! pure functions from JSON to a typed request or the list of problems.
