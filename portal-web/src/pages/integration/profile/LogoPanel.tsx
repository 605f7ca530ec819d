import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../../graphql/describeError.ts';
import { graphql } from '../../../graphql/graphql.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { type Integration, isOver } from '../../../features/integration/integrationQuery.ts';
import classes from './LogoPreview.module.css';

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
  unknown: 'Another release of the service gave this integration its status, so this one cannot change its logo.',
};

const noneWords = {
  fixed: 'A logo cannot be added after approval. To add one, duplicate the profile as a new integration.',
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

type Logo = { url256: string; url512: string };

/** Both renditions of the logo, on a light and on a dark background. `name` is the integration's. */
function LogoPreview({ logo, name }: { logo: Logo; name: string }) {
  const renditions = [
    { src: logo.url512, side: 512, ground: 'light' },
    { src: logo.url256, side: 256, ground: 'light' },
    { src: logo.url256, side: 256, ground: 'dark' },
  ] as const;
  return (
    <div className={classes.previews}>
      {renditions.map(({ src, side, ground }) => (
        <figure key={`${side} ${ground}`} className={classes.preview}>
          <span className={classes.ground} data-ground={ground}>
            {/* Shown at half its size in pixels, for screens with two pixels for one. */}
            <img src={src} width={side / 2} height={side / 2} alt={`Logo of ${name}`} />
          </span>
          <figcaption>
            {side} × {side} pixels, on a {ground} background
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

/** 2 MiB, the largest file that the service accepts. */
const largestBytes = 2 * 1024 * 1024;

type Uploaded = { readonly problem: string | null; readonly signedOut: boolean };

/**
 * Uploads a picture unchanged; the service checks its content. `problem` is what the reader is told, or null if the picture is now the
 * logo.
 */
async function uploadLogo(slug: string, file: Blob): Promise<Uploaded> {
  const problem = complaint(file);
  if (problem !== null) return { problem, signedOut: false };
  try {
    const response = await fetch(`/integrations/${slug}/logo`, {
      method: 'POST',
      body: file,
      credentials: 'same-origin',
      headers: { 'Content-Type': 'application/octet-stream' },
    });
    return { problem: response.ok ? null : await wordsOf(response), signedOut: response.status === 401 };
  } catch {
    return { problem: 'The portal did not answer. Check your connection, then try again.', signedOut: false };
  }
}

/** What is obviously wrong with a file before it is sent, or null. */
function complaint({ size }: Blob): string | null {
  if (size === 0) return 'The file is empty. Choose a PNG, JPEG or WebP image.';
  if (size > largestBytes) return 'The file is larger than 2 MiB (2,097,152 bytes). Reduce its dimensions or compress it more.';
  return null;
}

async function wordsOf(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => ({}))) as { detail?: unknown };
  const known = typeof answer.detail === 'string' && response.status < 500 ? answer.detail : null;
  if (response.status === 503) return 'Many logos are being uploaded right now. Try again in a few seconds.';
  return known ?? 'Something went wrong on our side. Try again, or come back in a few minutes.';
}

const removeLogoMutation = graphql(`
  mutation RemoveLogo($input: RemoveLogoInput!) {
    removeLogo(input: $input) {
      id
      profile {
        version
      }
    }
  }
`);

type RemoveLogoDialogProps = { integration: Integration; onClose: () => void; onRemoved: () => void };

/** Asks for confirmation, naming the integration and what removing its logo does. */
function RemoveLogoDialog({ integration: { id, profile }, onClose, onRemoved }: RemoveLogoDialogProps) {
  const [, removeLogo] = useMutation(removeLogoMutation);

  async function remove() {
    const { error } = await removeLogo({ input: { integrationId: id } });
    if (error) return describeError(error).message;
    onRemoved();
    return null;
  }

  return (
    <ConsequenceDialog
      title="Remove the logo?"
      object={
        <>
          The logo of <strong>{profile.publicName}</strong>
        </>
      }
      changes={[
        `Version ${profile.version + 1} of the profile has no logo.`,
        'You must upload another one before you submit for production review.',
      ]}
      unchanged={['Earlier versions keep theirs.']}
      verb="Remove logo"
      tone="danger"
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
