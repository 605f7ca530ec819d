/** The service's own words and addresses for crediting it. */
export type Attribution = { text: string; link: string; badgeUrl: string; badgeIntegrity: string };

/** The credit as HTML, for where data is shown. */
export function creditHtml({ text, link }: Pick<Attribution, 'text' | 'link'>): string {
  return `<a href="${link}" rel="noopener">${text}</a>`;
}

/** The credit where there are no links: exports, notifications, mails as text. */
export function creditPlain({ text, link }: Pick<Attribution, 'text' | 'link'>): string {
  return `${text}: ${link}`;
}

export const badgeThemes = ['auto', 'light', 'dark'] as const;
export type BadgeTheme = (typeof badgeThemes)[number];

/** The footer badge: its place, and the script that fills it. */
export function badgeHtml({ badgeUrl, badgeIntegrity }: Pick<Attribution, 'badgeUrl' | 'badgeIntegrity'>, theme: BadgeTheme): string {
  return `<span data-svc-attribution data-svc-theme="${theme}"></span>
<script defer src="${badgeUrl}"
  integrity="${badgeIntegrity}"
  crossorigin="anonymous" referrerpolicy="no-referrer"></script>`;
}
