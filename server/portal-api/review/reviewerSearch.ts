/** What the reviewers' lists are searched by, as the schema says it. */
export const reviewerSearch =
  'Part of a name or slug, or a complete `int_…` or `sub_…`; from administrators also part of the owner’s address or any complete identifier. Send it as a variable.';
