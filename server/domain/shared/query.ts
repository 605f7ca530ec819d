/** Runs one statement with bound parameters (`$1`); rows by column name. What the hot path knows of a database client. */
export type Query = <Row>(text: string, parameters: readonly (string | number | null)[]) => Promise<Row[]>;

/** The same without decoding: each row is an array of its columns' bytes in text format, null for NULL. */
export type RawQuery = (text: string, parameters: readonly (string | number | null)[]) => Promise<readonly (Buffer | null)[][]>;
