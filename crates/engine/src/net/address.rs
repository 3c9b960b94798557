//! The addresses that the program may connect to. A document contains URLs, and a URL may lead anywhere: without these
//! rules, an untrusted document could make this machine send requests to its own services.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The connections that are allowed in addition to `https` to public addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NetAllow {
    /// URLs of the scheme `http`.
    pub http: bool,
    /// The machine itself: 127.0.0.0/8 and ::1.
    pub loopback: bool,
    /// Private networks: private, unique-local, site-local and shared (CGNAT) addresses.
    pub private: bool,
}

/// The kind of network that an address belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressClass {
    Public,
    Loopback,
    Private,
    LinkLocal,
    Multicast,
    /// Unspecified, broadcast, documentation, benchmarking and unassigned addresses.
    Reserved,
}

impl AddressClass {
    pub(super) fn from_address(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) => match embedded(address) {
                Some(inner) => Self::of_v4(inner),
                None => Self::of_v6(address),
            },
        }
    }

    fn of_v4(address: Ipv4Addr) -> Self {
        match address.octets() {
            [127, ..] => Self::Loopback,
            [10, ..] | [192, 168, ..] => Self::Private,
            [172, second, ..] if second & 0xF0 == 16 => Self::Private,
            [100, second, ..] if second & 0xC0 == 64 => Self::Private,
            [169, 254, ..] => Self::LinkLocal,
            [224..=239, ..] => Self::Multicast,
            [0 | 240..=255, ..]
            | [192, 0, 0 | 2, _]
            | [198, 18 | 19, ..]
            | [198, 51, 100, _]
            | [203, 0, 113, _] => Self::Reserved,
            _ => Self::Public,
        }
    }

    fn of_v6(address: Ipv6Addr) -> Self {
        match address.segments() {
            [0, 0, 0, 0, 0, 0, 0, 1] => Self::Loopback,
            [0xFC00..=0xFDFF | 0xFEC0..=0xFEFF, ..] => Self::Private,
            [0xFE80..=0xFEBF, ..] => Self::LinkLocal,
            [0xFF00..=0xFFFF, ..] => Self::Multicast,
            [0x2001, 0x0DB8, ..] | [0x3FFF, 0..=0x0FFF, ..] => Self::Reserved,
            // Addresses of Teredo, ORCHID and other protocols.
            [0x2001, 0..=0x01FF, ..] => Self::Reserved,
            [0x2000..=0x3FFF, ..] => Self::Public,
            _ => Self::Reserved,
        }
    }

    /// Returns whether the program may connect to an address of this class.
    pub(super) fn is_allowed(self, allow: NetAllow) -> bool {
        match self {
            Self::Public => true,
            Self::Loopback => allow.loopback,
            Self::Private => allow.private,
            Self::LinkLocal | Self::Multicast | Self::Reserved => false,
        }
    }

    /// The class in words, and the value of the option that allows it.
    pub(super) fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Public => ("a public", None),
            Self::Loopback => ("a loopback", Some("loopback")),
            Self::Private => ("a private", Some("private")),
            Self::LinkLocal => ("a link-local", None),
            Self::Multicast => ("a multicast", None),
            Self::Reserved => ("a reserved", None),
        }
    }
}

/// The IPv4 address that an IPv6 address leads to: mapped, translated (64:ff9b::/96) or 6to4.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let from = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Some(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => from(high, low),
        [0x2002, high, low, ..] => from(high, low),
        _ => None,
    }
}

#[test]
fn every_address_has_its_class() {
    use AddressClass::{LinkLocal, Loopback, Multicast, Private, Public, Reserved};
    let cases = [
        (Public, "1.1.1.1 9.255.255.255 11.0.0.0 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 192.169.0.1"),
        (Public, "2606:4700::1111 2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1"),
        (Loopback, "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::"),
        (Private, "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255"),
        (Private, "fc00::1 fdff::1 fec0::1 ::ffff:10.0.0.1 ::ffff:192.168.0.1"),
        (LinkLocal, "169.254.169.254 fe80::1 febf::1 ::ffff:169.254.169.254"),
        (Multicast, "224.0.0.1 239.255.255.255 ff02::1"),
        (Reserved, "0.0.0.0 0.1.2.3 255.255.255.255 240.0.0.1 192.0.2.1 198.18.0.1 203.0.113.9"),
        (Reserved, ":: ::7f00:1 ::ffff:0.0.0.0 100::1 2001:db8::1 2001::1 4000::1"),
    ];
    for (class, addresses) in cases {
        for address in addresses.split(' ') {
            let parsed = address.parse().expect("an address");
            assert_eq!(AddressClass::from_address(parsed), class, "{address}");
        }
    }
}
