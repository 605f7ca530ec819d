/** When a certificate works, as the service reports it. */
type Life = {
  readonly id: string;
  readonly issuedAt: string | null;
  readonly notAfter: string | null;
  readonly usableUntil: string | null;
};

/** Where something lies on the common bar of days, in percent of its length. */
export type Stretch = { readonly from: number; readonly to: number };

/** The bar that the certificates in use share: when each works, when they work side by side, and the present day. */
export type DaysInUse = {
  readonly stretches: ReadonlyMap<string, Stretch>;
  readonly overlap: Stretch | null;
  readonly today: number;
};

/** Places certificates that have been issued on one bar, from the first moment of the older one to the last of the newer one. */
export function daysInUse(certificates: readonly Life[], now: Date): DaysInUse {
  const lives = certificates.flatMap((each) => {
    const end = each.usableUntil ?? each.notAfter;
    return each.issuedAt && end ? [{ id: each.id, from: Date.parse(each.issuedAt), to: Date.parse(end) }] : [];
  });
  const first = Math.min(...lives.map(({ from }) => from));
  const last = Math.max(...lives.map(({ to }) => to));
  const at = (time: number) => Math.min(100, Math.max(0, (100 * (time - first)) / Math.max(1, last - first)));
  const stretch = ({ from, to }: { from: number; to: number }): Stretch => ({ from: at(from), to: at(to) });
  const shared = { from: Math.max(...lives.map(({ from }) => from)), to: Math.min(...lives.map(({ to }) => to)) };
  return {
    stretches: new Map(lives.map((life) => [life.id, stretch(life)])),
    overlap: lives.length > 1 && shared.from < shared.to ? stretch(shared) : null,
    today: at(now.getTime()),
  };
}
