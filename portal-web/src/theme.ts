import { Anchor, Button, createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const cobalt: MantineColorsTuple = [
  '#eef3ff',
  '#dbe5fe',
  '#b5c8fb',
  '#8ba9f8',
  '#6a8ff6',
  '#4a76ee',
  '#2f5fe4',
  '#1f4fd8',
  '#183fb0',
  '#12308a',
];

/** Neutral greys with a trace of the accent colour, from the text to the background. */
const dark: MantineColorsTuple = [
  '#d3d7de',
  '#b3b9c4',
  '#8b93a1',
  '#5d6572',
  '#3b424d',
  '#2e333b',
  '#1f232a',
  '#14161a',
  '#101216',
  '#0b0c0f',
];

/** The only sizes of type: for marks and captions, for most of a page, for text to read, for its title, and for the first words of a public page. */
const fontSizes = { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.25rem', xl: 'clamp(1.75rem, 1.5rem + 1.1vw, 2.25rem)' } as const;

/** The only weights: of text, of what names something in it, and of headings and what stands out. */
const fontWeights = { regular: '400', medium: '550', bold: '650' } as const;

/** The tones of outlined alerts, whose own colours in the dark are so pale that their edges look grey. */
const alertTones: Readonly<Record<string, string>> = { red: 'var(--svc-bad)', green: 'var(--svc-good)', gray: 'var(--svc-neutral)' };

/** One accent colour, neutral greys, the system's fonts, five sizes of type in three weights, and distances in steps of 8 pixels. */
export const theme = createTheme({
  primaryColor: 'cobalt',
  primaryShade: { light: 7, dark: 6 },
  colors: { cobalt, dark },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes,
  fontWeights,
  headings: {
    fontWeight: fontWeights.bold,
    sizes: {
      h1: { fontSize: fontSizes.lg, lineHeight: '1.25' },
      h2: { fontSize: fontSizes.md, lineHeight: '1.4' },
      h3: { fontSize: fontSizes.sm, lineHeight: '1.45' },
      h4: { fontSize: fontSizes.sm, lineHeight: '1.45' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    Alert: {
      vars: (_theme: unknown, { color = '', variant }: { color?: string; variant?: string }) => ({
        root: variant === 'outline' && alertTones[color] ? { '--alert-color': alertTones[color] } : {},
      }),
    },
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Button: Button.extend({ styles: { label: { whiteSpace: 'normal', lineHeight: 1.2 } } }),
    // The first checkbox takes the focus, so the error is shown above it. Below the last one, it could be out of sight.
    CheckboxGroup: { defaultProps: { inputWrapperOrder: ['label', 'description', 'error', 'input'] } },
    // By its name alone: anyone who signs in needs no dialog, and would load all of it.
    Modal: {
      defaultProps: { centered: true },
      styles: {
        title: { fontSize: fontSizes.md, fontWeight: fontWeights.bold, lineHeight: 1.4, overflowWrap: 'anywhere' },
        body: { overflowWrap: 'anywhere' },
        // In the dark, its shadow does not tell it from the page.
        content: { border: '1px solid light-dark(var(--svc-line), var(--svc-strong-line))' },
      },
    },
  },
});

/** What each tone of a status looks like, wherever it is shown: in a badge, a log, a chart or at the edge of a box. */
const tones = {
  '--svc-good': 'light-dark(#14683a, #6bd396)',
  '--svc-under-way': 'light-dark(#3c5a7d, #9dbbdc)',
  '--svc-waiting': 'light-dark(#7d4a00, #f0b866)',
  '--svc-bad': 'light-dark(#a91625, #ff9096)',
  '--svc-neutral': 'light-dark(#4b5262, #b3b9c4)',
};

/** The tones, the neutral surfaces, and replacements for Mantine's colours that are too faint to read comfortably. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: tones,
  light: {
    '--mantine-color-dimmed': '#5b6270',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-disabled-color': '#5b6270',
    '--mantine-color-anchor': cobalt[7],
    '--mantine-color-cobalt-light-color': cobalt[7],
    '--mantine-color-error': '#c01f2e',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#16181d',
    '--svc-surface': '#f6f7f9',
    '--svc-line': '#e1e4ea',
    '--svc-strong-line': '#c9ced8',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a9b4',
    '--mantine-color-placeholder': '#8b93a1',
    '--mantine-color-disabled-color': '#a3a9b4',
    '--mantine-color-anchor': cobalt[3],
    '--mantine-color-cobalt-light-color': cobalt[3],
    '--mantine-color-error': '#ff8a8f',
    '--mantine-color-body': '#14161a',
    '--mantine-color-text': '#e8eaed',
    '--svc-surface': '#1b1e23',
    '--svc-line': '#2e333b',
    '--svc-strong-line': '#434a55',
  },
});
