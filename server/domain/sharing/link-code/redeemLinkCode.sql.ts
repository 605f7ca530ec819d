/**
 * The function that judges a code by what may be stored of it (`$1` environment, `$2` HMACs) for client `$3` at `$4`, counts a failed attempt,
 * and redeems it. It is the database's, because the machine API may not make connections itself (docs/operating.md, “Roles”).
 */
export const redeemLinkCodeSql = `select redeem_link_code($1, $2::bytea[], $3::int, $4::timestamptz) as redeemed`;
