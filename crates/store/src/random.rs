//! Names that nobody else will choose.

/// 128 random bits as text: for a request, a process, a deployment.
pub fn random_id() -> String {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).expect("the system has a source of randomness");
    hex::encode(bytes)
}
