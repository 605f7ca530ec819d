/** What the lists for reviewers can be searched by, in the words of the schema. */
export const reviewerSearch =
  'Part of a name or slug, or a complete `int_…` or `sub_…`; from administrators also part of the owner’s address or any complete identifier. Send it as a variable.';
