/** What a command knows of the browser that asks: its address, its name for itself, and the request's id for the audit trail. */
export type Visitor = {
  readonly ip: string;
  /** The network that attempts are counted by: the address, of IPv6 its /64. */
  readonly source: string;
  readonly userAgent: string;
  readonly requestId: string;
};
