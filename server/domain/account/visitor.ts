/** What a command knows of the browser that asks: its address, its name for itself, and the request's id for the audit trail. */
export type Visitor = { readonly ip: string; readonly userAgent: string; readonly requestId: string };
