import { Button, Checkbox, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react';
import { CopyButton as MantineCopyButton } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { forgetRecoveryCodes, recoveryCodes } from '../../features/passkey/recoveryCodes.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { paths } from '../../paths.ts';
import { downloadFile } from '../../ui/text/downloadFile.ts';
import { Notice } from '../../ui/states/Notice.tsx';
import { useLeaveWarning } from '../../ui/states/useLeaveWarning.ts';
import { serverTime } from '../../ui/time/serverTime.ts';
import { NarrowPage } from '../../ui/layout/NarrowPage.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import classes from './RecoveryCodesPage.module.css';

/** Shows the recovery codes, once. */
export function Component() {
  const [shown] = useState(recoveryCodes);
  const codes = shown?.codes;
  const [saved, setSaved] = useState(false);
  const { viewer } = useSession();
  const navigate = useNavigate();

  useLeaveWarning(codes !== undefined && !saved);

  if (!shown || !codes) return <CodesAreGone />;
  const { goOnTo } = shown;
  const text = codes.join('\n');

  /** A reader who has the file has saved them, and can still take the tick away. */
  function downloadAll() {
    download(codes ?? [], viewer?.email);
    setSaved(true);
  }

  async function goOn() {
    await navigate(goOnTo, { replace: true });
    forgetRecoveryCodes();
  }

  return (
    <NarrowPage>
      <PageHeader
        title="Save your recovery codes"
        lead={`If you lose your passkey, a code lets you create a new one. Each works once, and removes all your passkeys.${shown.replaceOthers ? ' Your older codes no longer work.' : ''}`}
      />
      <div data-unprinted>
        <Notice title="These codes are shown only once" words="Save them now." />
      </div>
      <Text className={classes.printed}>{headingFor(viewer?.email)}</Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group gap="xs">
        <MantineCopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy all'}
            </Button>
          )}
        </MantineCopyButton>
        <Button variant="default" onClick={downloadAll} leftSection={<IconDownload size={16} aria-hidden />}>
          Download as text
        </Button>
        <Button variant="default" onClick={() => window.print()} leftSection={<IconPrinter size={16} aria-hidden />}>
          Print
        </Button>
      </Group>
      <Checkbox data-unprinted label="I have saved them" checked={saved} onChange={(event) => setSaved(event.currentTarget.checked)} />
      <Button disabled={!saved} onClick={() => void goOn()}>
        {goOnWords[goOnTo] ?? 'Continue to your integrations'}
      </Button>
    </NarrowPage>
  );
}

const goOnWords: Readonly<Record<string, string>> = {
  [paths.account]: 'Back to your account',
  [paths.newIntegration]: 'Continue to your first integration',
};

const today = () => new Date(serverTime()).toISOString().slice(0, 10);

/** A file or a sheet that is found years later should say what it is for, so it names the service, the account and the date. */
function headingFor(account = 'your account'): string {
  return `Recovery codes for ${account}\nOperator Integration Service, ${window.location.origin}\nGenerated on ${today()}`;
}

function download(codes: readonly string[], account: string | undefined): void {
  downloadFile(
    `recovery-codes-${window.location.host.replace(':', '-')}-${today()}.txt`,
    `${headingFor(account)}\n\n${codes.join('\n')}\n`,
  );
}

function CodesAreGone() {
  return (
    <NarrowPage>
      <PageHeader title="Recovery codes" />
      <Text>
        Recovery codes are shown once, right after they are generated. They cannot be shown again. You can generate new codes on your
        account page.
      </Text>
      <Button component={Link} to={paths.integrations}>
        Go to your integrations
      </Button>
    </NarrowPage>
  );
}
