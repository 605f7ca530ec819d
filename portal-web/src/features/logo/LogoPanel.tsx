import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { type Integration, isOver } from '../integration/integrationQuery.ts';
import { LogoPreview } from './LogoPreview.tsx';
import { RemoveLogoDialog } from './RemoveLogoDialog.tsx';
import { uploadLogo } from './uploadLogo.ts';

const fixedWords: Readonly<Record<Integration['status'], string | null>> = {
  sandbox: null,
  rejected: null,
  submitted: 'This logo is under review and cannot be changed until the reviewers decide.',
  approved:
    'The logo was approved with the profile and cannot be changed. To use another logo, duplicate the profile as a new integration.',
  active: 'The logo was approved with the profile and cannot be changed. To use another logo, duplicate the profile as a new integration.',
  suspended:
    'The logo was approved with the profile and cannot be changed. To use another logo, duplicate the profile as a new integration.',
  retired: 'This integration is retired, so its logo cannot be changed.',
};

const noneWords = {
  fixed: 'None can be added now. To add one, duplicate the profile as a new integration.',
  over: 'This integration is retired, so none can be added.',
} as const;

/** The logo as users see it. It can be replaced while the profile can change. */
export function LogoPanel({ integration, onChange }: { integration: Integration; onChange: () => void }) {
  const { slug, status, profile } = integration;
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [removing, setRemoving] = useState(false);
  const fixed = fixedWords[status];

  async function take(file: File | null) {
    if (!file) return;
    setBusy(true);
    setProblem(null);
    const uploaded = await uploadLogo(slug, file);
    setBusy(false);
    setProblem(uploaded.problem);
    // Without a session, reading the page again leads to the sign-in page, and from there back here.
    if (uploaded.problem === null || uploaded.signedOut) onChange();
  }

  return (
    <Panel
      title="Logo"
      lead={`Users see it next to your integration’s name when they choose what to share.${fixed ? '' : ' You need one for production review.'}`}
    >
      <Stack gap="md">
        {problem && <ErrorMessage message={problem} />}
        <div aria-live="polite">
          {profile.logo ? (
            <LogoPreview logo={profile.logo} name={profile.publicName} />
          ) : (
            <Text>{fixed ? 'There is no logo.' : 'No logo yet.'}</Text>
          )}
        </div>
        {fixed ? (
          <Text size="sm">{profile.logo ? fixed : noneWords[isOver(integration) ? 'over' : 'fixed']}</Text>
        ) : (
          <>
            <Text size="sm" c="dimmed" maw={640}>
              A PNG, JPEG or WebP image of at most 2 MiB, 256 to 2048 pixels on each side; no SVG, no animation. Square images look best;
              others are centred on a transparent background. Metadata, such as where a photo was taken, is removed. The upload makes
              version {profile.version + 1} of the profile.
            </Text>
            <Group gap="sm">
              <FileButton
                onChange={(file) => void take(file)}
                accept="image/png,image/jpeg,image/webp"
                inputProps={{ 'aria-label': 'Logo file' }}
              >
                {(props) => (
                  <Button
                    {...props}
                    loading={busy}
                    variant={profile.logo ? 'default' : 'filled'}
                    leftSection={<IconPhoto size={16} aria-hidden />}
                  >
                    {profile.logo ? 'Replace the logo' : 'Upload a logo'}
                  </Button>
                )}
              </FileButton>
              {profile.logo && (
                <Button variant="default" onClick={() => setRemoving(true)}>
                  Remove the logo
                </Button>
              )}
            </Group>
          </>
        )}
      </Stack>
      {removing && <RemoveLogoDialog integration={integration} onClose={() => setRemoving(false)} onRemoved={onChange} />}
    </Panel>
  );
}
