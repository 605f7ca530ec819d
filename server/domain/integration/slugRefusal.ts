const reservedSlugs = new Set(['new', 'admin', 'api', 'account', 'review', 'docs', 'activity', 'svc']);

/** What is wrong with a slug, in words, or null. A slug is permanent and part of addresses. */
export function slugRefusal(slug: string): string | null {
  if (slug.length < 3 || slug.length > 40) return 'The slug must have 3 to 40 characters.';
  if (!/^[a-z](?:-?[a-z0-9])*$/.test(slug)) {
    return 'The slug must start with a letter and contain only a to z, 0 to 9 and single hyphens between them.';
  }
  return reservedSlugs.has(slug) ? 'This slug is reserved. Choose another one.' : null;
}
