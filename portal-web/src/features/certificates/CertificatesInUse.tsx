import { Group, Stack, Text } from '@mantine/core';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import type { Client } from '../integration/integrationQuery.ts';
import { certificateStatusWords } from '../integration/statusWords.ts';
import { Notice } from '../../ui/states/Notice.tsx';
import { expiring, isEnding, isUnswitched } from './certificateEnd.ts';
import classes from './CertificatesInUse.module.css';
import { daysInUse, type Stretch } from './daysInUse.ts';

/** Which certificates a client calls with, until when each works, and where they overlap. Shows nothing before the first one is issued. */
export function CertificatesInUse({ client: { certificatesInUse, environment } }: { client: Client }) {
  const now = useNow();
  const issued = certificatesInUse.filter(({ status }) => status === 'issued').toReversed();
  if (issued.length === 0) return null;
  const latest = issued
    .filter(({ lastUsedAt }) => lastUsedAt)
    .toSorted((a, b) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? ''))[0]?.id;
  const { stretches, overlap, today } = daysInUse(issued, now);
  return (
    <Panel title="In use" marks={<EnvironmentTag environment={environment} />}>
      <Stack gap="md">
        <ul className={classes.list}>
          {issued.map((certificate) => {
            const { id, keyName, usableUntil, notAfter, lastUsedAt } = certificate;
            const ending = isEnding(certificate, now);
            const { tone, word } = ending ? expiring : certificateStatusWords.issued;
            const end = usableUntil ?? notAfter;
            return (
              <li key={id}>
                <Group gap="sm">
                  <Text fw={600}>{keyName}</Text>
                  <StatusBadge tone={tone}>{word}</StatusBadge>
                  <Text size="sm">
                    {end && (
                      <>
                        ends <RelativeTime value={end} />,{' '}
                      </>
                    )}
                    {lastUsedAt ? (
                      <>
                        {id === latest && issued.length > 1 ? 'made the last call ' : 'last call '}
                        <RelativeTime value={lastUsedAt} />
                      </>
                    ) : (
                      'no call yet'
                    )}
                  </Text>
                </Group>
                <div className={classes.bar} aria-hidden>
                  <div className={classes.life} data-ending={ending || undefined} style={placed(stretches.get(id))} />
                  {overlap && <div className={classes.overlap} style={placed(overlap)} />}
                  <div className={classes.today} style={{ insetInlineStart: `${today}%` }} />
                </div>
              </li>
            );
          })}
        </ul>
        <p className={classes.legend}>
          <span>The line across the bars is today.</span>
          {overlap && <span>Both certificates work in the striped part.</span>}
        </p>
        {isUnswitched(issued, now) && (
          <Notice
            title={`Your back end does not use ${issued.at(-1)?.keyName ?? ''} yet`}
            words={`${issued[0]?.keyName ?? ''} stops working soon, and the newer certificate has never made a call. Install the newer one, and check that a call with it appears here.`}
          />
        )}
      </Stack>
    </Panel>
  );
}

function placed(stretch: Stretch = { from: 0, to: 0 }) {
  return { insetInlineStart: `${stretch.from}%`, width: `${stretch.to - stretch.from}%` };
}
