/**
 * The function that judges a code by what may be stored of it (`$1` environment, `$2` HMACs) for client `$3`, whose request `$4` came from `$5` at `$6`, counts a failed attempt,
 * and redeems it, with its lines in the trail and its evidence. It is the database's, because the machine API may not make connections itself (docs/operating.md, “Roles”).
 */
export const redeemLinkCodeSql = `select redeem_link_code($1, $2::bytea[], $3::int, $4, $5::inet, $6::timestamptz) as redeemed`;
