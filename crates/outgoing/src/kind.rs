//! What an IP address is: out on the network for everybody, or something that only those nearby can reach.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use ipnet::IpNet;

/// What is not for everybody, by IANA's registries of special addresses. Of IPv6 nothing outside `2000::/3` is.
const NEARBY: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
];
static NETS: LazyLock<Vec<IpNet>> =
    LazyLock::new(|| NEARBY.iter().map(|text| text.parse().expect("a network")).collect());
static EVERYBODY: LazyLock<IpNet> = LazyLock::new(|| "2000::/3".parse().expect("a network"));

/// Where clouds tell a machine its own secrets; nobody ever has a webhook there.
const METADATA: &[IpAddr] = &[
    IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254)),
    IpAddr::V4(Ipv4Addr::new(169, 254, 170, 2)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
];
const METADATA_NAMES: &[&str] =
    &["metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"];

/// The address that a packet would go to: an IPv4 address in the clothes of IPv6 is that IPv4 address.
pub(crate) fn bare(ip: IpAddr) -> IpAddr {
    let IpAddr::V6(six) = ip else { return ip };
    let [a, b, c, d, e, f, g, h] = six.segments();
    let four = |high: u16, low: u16| {
        let [[w, x], [y, z]] = [high.to_be_bytes(), low.to_be_bytes()];
        IpAddr::V4(Ipv4Addr::new(w, x, y, z))
    };
    match [a, b, c, d, e, f] {
        // Mapped, translated, and the well-known prefix of NAT64.
        [0, 0, 0, 0, 0, 0xffff] | [0, 0, 0, 0, 0xffff, 0] | [0x64, 0xff9b, 0, 0, 0, 0] => four(g, h),
        _ => ip,
    }
}

/// Whether everybody can reach it, so that calling it gives nobody more than they have.
pub(crate) fn is_public(ip: IpAddr) -> bool {
    let special = NETS.iter().any(|net| net.contains(&ip));
    !special && (ip.is_ipv4() || EVERYBODY.contains(&ip))
}

pub(crate) fn is_metadata(ip: IpAddr) -> bool {
    METADATA.contains(&ip)
}

pub(crate) fn is_metadata_name(name: &str) -> bool {
    METADATA_NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearby_is_known_in_every_dress() {
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.0.9",
            "169.254.1.1",
            "172.31.255.255",
            "192.168.0.1",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:0:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
        ] {
            assert!(!is_public(bare(text.parse().unwrap())), "{text}");
        }
        for text in ["8.8.8.8", "93.184.215.14", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"] {
            assert!(is_public(bare(text.parse().unwrap())), "{text}");
        }
    }
}
