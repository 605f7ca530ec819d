/** What a command knows about the browser that calls it: its address, its name for itself, and the request's ID for the audit trail. */
export type Visitor = {
  readonly ip: string;
  /** The network by which attempts are counted: the address, or with IPv6 its /64. */
  readonly source: string;
  readonly userAgent: string;
  readonly requestId: string;
};
