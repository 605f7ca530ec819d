/** What a receiver that follows the specification does with a probe. `either`: the specification gives no rule. */
type Expected = 'accepted' | 'refused' | 'either';

/** A probe in words, and what a receiver should do with it. */
export type ProbeWords = {
  /** What is sent, in a few words. */
  readonly title: string;
  readonly expected: Expected;
  /** What a receiver that follows the specification answers, and why. */
  readonly expectation: string;
  /** What to do where this one does something else. */
  readonly mend: string;
  /** Whether asking for a repetition by 503 is as good as a refusal. */
  readonly mayWait?: true;
  /** Whether a connection that is closed without an answer is worth advice only. */
  readonly mayBreakOff?: true;
};

/** The probes in the order in which they are sent (docs/specification.md, “Receiver checks”). */
export const probes = {
  good: {
    title: 'A valid delivery',
    expected: 'accepted',
    expectation: '2xx, once the event ID is stored durably.',
    mend: 'Compare the signature base with the guide: five components in their order, the registered URL byte for byte, and the raw body. Then answer 2xx.',
  },
  repeated: {
    title: 'The same event again',
    expected: 'accepted',
    expectation: '2xx without applying it again, because the event ID is already stored.',
    mend: 'Answer 2xx to an event ID that you have already stored. Anything else makes the service deliver it again.',
  },
  resigned_replay: {
    title: 'The same event again, signed again',
    expected: 'accepted',
    expectation:
      '2xx without applying it again: each attempt has a signature of its own, and the event ID alone tells that it is the same event.',
    mend: 'Recognise an event by its ID, not by its signature or created. Every attempt is signed again, and must be answered with 2xx.',
  },
  second_signature: {
    title: 'A delivery with another signature beside ours',
    expected: 'accepted',
    expectation:
      '2xx: the signature with the label svc is good. The other one has parameters of many kinds and stands in for those that proxies add.',
    mend: 'Parse Signature-Input and Signature as structured fields (RFC 9651), pick the members named svc wherever they stand, and skip all others.',
  },
  body_altered: {
    title: 'A body that was altered after signing, with its own digest',
    expected: 'refused',
    expectation: '4xx: the Content-Digest fits the body, but the signature does not cover this digest.',
    mend: 'Verify the Ed25519 signature over the signature base before you parse the body. A digest alone proves nothing, because anybody can compute it.',
  },
  digest_of_another_body: {
    title: 'A signed digest of another body',
    expected: 'refused',
    expectation: '4xx: the signature is good, but the body does not have the digest that was signed.',
    mend: 'Compute SHA-256 of the raw body and compare it with Content-Digest in constant time. The signature covers the header, not the body itself.',
  },
  component_missing: {
    title: 'A signature that does not cover the digest',
    expected: 'refused',
    expectation: '4xx: the list of covered components is not the required one.',
    mend: 'Require exactly @method, @target-uri, content-digest, x-svc-event-id and x-svc-event-timestamp in Signature-Input, in this order. Do not verify whatever the sender lists.',
  },
  unknown_key: {
    title: 'A signature by a key that is not in the JWKS',
    expected: 'refused',
    expectation:
      '4xx, after at most one refresh of the JWKS; or 503, where the JWKS has been read a moment ago and may be read again later.',
    mayWait: true,
    mend: 'Use only the key of the JWKS whose kid equals keyid. An unknown keyid may cause one bounded refresh, and then a refusal; never skip the verification.',
  },
  other_label: {
    title: 'A good signature under another label',
    expected: 'refused',
    expectation: '4xx: there is no signature with the label svc.',
    mend: 'Read the members named svc of Signature-Input and Signature, and refuse a request that has none.',
  },
  other_event_id: {
    title: 'A signed event ID unlike the one in the body',
    expected: 'refused',
    expectation: '4xx: the envelope must name the same event as X-SVC-Event-ID.',
    mend: 'After the signature, compare event ID and time of the envelope with the signed headers, and refuse what differs.',
  },
  other_time: {
    title: 'A signed event time unlike the one in the body',
    expected: 'refused',
    expectation: '4xx: the time of the envelope must be that of X-SVC-Event-Timestamp, to the millisecond.',
    mend: 'After the signature, compare the envelope’s time with X-SVC-Event-Timestamp as text, and refuse what differs.',
  },
  wrong_environment: {
    title: 'An event of an environment that does not exist',
    expected: 'refused',
    expectation: '4xx: this endpoint is registered for the sandbox, and the envelope says “none”.',
    mend: 'Compare the envelope’s environment with the one that this URL is registered for.',
  },
  production: {
    title: 'An event of production',
    expected: 'refused',
    expectation: '4xx: this endpoint is registered for the sandbox.',
    mend: 'Refuse production at the URL of the sandbox. It is not enough to know that the environment exists.',
  },
  wrong_source: {
    title: 'An event from another source',
    expected: 'refused',
    expectation: '4xx: the envelope’s source is not this service’s machine API.',
    mend: 'Compare the envelope’s source with the origin of the machine API, as a whole.',
  },
  large_body: {
    title: 'A body of more than 64 KiB',
    expected: 'either',
    expectation: 'Your own limit decides: the specification demands one and gives no number. 413 is the answer to what is over it.',
    mend: 'It was accepted. See that you have a limit, and that it ends the reading itself: no delivery comes near 64 KiB, and anybody can send you more.',
    mayBreakOff: true,
  },
  day_old: {
    title: 'A signature made a day ago',
    expected: 'either',
    expectation: 'Your own limit decides: the specification demands a bounded freshness and gives no number.',
    mend: 'It was accepted. If your limit is shorter than a day, compare created with your clock. Every attempt has a new signature, so even a late retry has a fresh created.',
  },
} as const satisfies Readonly<Record<string, ProbeWords>>;

export type ProbeKind = keyof typeof probes;
export const probeKinds = Object.keys(probes) as ProbeKind[];

/** `advice`: refused, but with a status that asks for a repetition; or something to know, where there is no rule. */
export const probeVerdicts = ['passed', 'failed', 'advice', 'not_sent'] as const;
export type ProbeVerdict = (typeof probeVerdicts)[number];
