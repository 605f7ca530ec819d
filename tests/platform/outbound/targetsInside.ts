/** Addresses that a name must not lead to. */
export const insideAddresses = [
  // This host, private networks, and what providers share among their customers.
  ['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '127.0.0.1', '127.0.0.53', '127.1.2.3', '127.255.255.254', '172.16.0.1'],
  ['172.31.255.254', '192.168.0.1', '192.168.255.254', '100.64.0.1', '100.127.255.254'],
  // Metadata of clouds.
  [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.169.123',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd20:ce::254',
  ],
  // Reserved, documentation, benchmarks, relays, multicast and broadcast.
  ['169.254.0.1', '192.0.0.1', '192.0.0.170', '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1', '198.18.0.1'],
  ['198.19.255.254', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ['::', '::1', 'fc00::1', 'fd00::1', 'fe80::1', 'fe80::1%eth0', 'fe80::1%1', 'fec0::1', 'ff02::1', 'ff0e::1', '100::1', '100:0:0:1::1'],
  ['2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001:db8::1', '2620:4f:8000::1', '3fff::1'],
  ['3fff:fff::1', '4000::1', '5f00::1', '8000::1'],
  // Returned, or not handed out yet.
  ['2d00::1', '2e00::1', '2fff:ffff::1', '3000::1', '3ffe::1', '3ffe:831f::1', '3fff:1000::1'],
  // IPv4 within IPv6, translators and tunnels.
  ['::127.0.0.1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8'],
  [
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '64:ff9b:2::1',
    '2001::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
  ],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  // What only some software takes for an address.
  ['0x7f.1', '0177.0.0.1', '2130706433', '127.1', '0x7f000001', '127.0.0.1.', ' 127.0.0.1', '127.0.0.1\n', '[::1]', 'localhost', ''],
].flat();

/** URLs that are never sent to, whatever has been registered. */
export const insideUrls = [
  [
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1%25eth0]/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
  ],
  [
    'https://2130706433/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://017700000001/',
    'https://127.0.0.1./',
    'https://a.0x7f/',
    'https://a.1/',
  ],
  ['https://localhost/', 'https://LOCALHOST/', 'https://metadata/', 'https://a.example./', 'https://.a.example/', 'https://a..example/'],
  [
    'http://a.example/',
    'ftp://a.example/',
    '//a.example/',
    'https:a.example/',
    'https:/a.example/',
    'https:\\\\a.example\\',
    'HTTPS://a.example/',
  ],
  ['https://user@a.example/', 'https://user:pass@a.example/', 'https://a.example:443@127.0.0.1/', 'https://127.0.0.1#@a.example/'],
  [
    'https://a.example\\@127.0.0.1/',
    'https://a.example%2f@127.0.0.1/',
    'https://a.example:8443/',
    'https://a.example:80/',
    'https://a.example:0/',
  ],
  ['https://a.example:0443/', 'https://a.example:443:80/', 'https://a.example:+443/', 'https://a.example:/', 'https://a.example/#fragment'],
  [
    'https://A.example/',
    'https://bücher.example/',
    'https://１２７.０.０.１/',
    'https://127。0。0。1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://%6cocalhost.a/',
  ],
  [
    ' https://a.example/',
    'https://a.example/ ',
    'https://a.exam\tple/',
    'https://a.example/\r\nHost: inside',
    'https://a.example/\u0000',
    'https://',
  ],
  ['https://a.example/é', 'javascript:alert(1)', 'file:///etc/passwd', 'unix:/run/docker.sock', ''],
].flat();

/** Names that exist only inside private networks. Registration refuses them; if one has been written past it, its answers are refused. */
export const insideNames = [
  [
    'localhost.localdomain',
    'a.localhost',
    'printer.local',
    'metadata.google.internal',
    'instance-data.ec2.internal',
    'kubernetes.default.svc.internal',
  ],
  ['wiki.intranet', 'nas.lan', 'router.home', 'dc.corp', 'nas.home.arpa', 'a.invalid', 'a.alt', 'a.onion'],
  ['vault.prod.svc.cluster.local', 'db.prod.svc', 'nas.private', '1.0.0.10.in-addr.arpa', 'exchange.mail'],
].flat();
