/** The service's own words and addresses for crediting it. */
export type Attribution = { text: string; link: string; badgeUrl: string; badgeIntegrity: string };

/** The credit as HTML, for pages that show data. */
export function creditHtml({ text, link }: Pick<Attribution, 'text' | 'link'>): string {
  return `<a href="${link}" rel="noopener">${text}</a>`;
}

/** The credit as text, for exports, notifications and plain-text emails, which cannot have links. */
export function creditPlain({ text, link }: Pick<Attribution, 'text' | 'link'>): string {
  return `${text}: ${link}`;
}

export const badgeThemes = ['auto', 'light', 'dark'] as const;
export type BadgeTheme = (typeof badgeThemes)[number];

/** The footer badge: an element for it, and the script that fills the element. */
export function badgeHtml({ badgeUrl, badgeIntegrity }: Pick<Attribution, 'badgeUrl' | 'badgeIntegrity'>, theme: BadgeTheme): string {
  return `<span data-svc-attribution data-svc-theme="${theme}"></span>
<script defer src="${badgeUrl}"
  integrity="${badgeIntegrity}"
  crossorigin="anonymous" referrerpolicy="no-referrer"></script>`;
}
