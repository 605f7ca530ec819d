import { Group, Stack, Text } from '@mantine/core';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import type { Client } from '../integration/integrationQuery.ts';
import { certificateStatusWords } from '../integration/statusWords.ts';
import { expiring, isEnding } from './certificateEnd.ts';
import classes from './CertificatesInUse.module.css';
import { daysInUse, type Stretch } from './daysInUse.ts';

/** Which certificates a client calls with, until when each works, and where they overlap. Shows nothing before the first one is issued. */
export function CertificatesInUse({ client: { certificatesInUse, environment } }: { client: Client }) {
  const now = useNow();
  const issued = certificatesInUse.filter(({ status }) => status === 'issued').toReversed();
  if (issued.length === 0) return null;
  const { stretches, overlap, today } = daysInUse(issued, now);
  return (
    <Panel title="In use" marks={<EnvironmentTag environment={environment} />}>
      <Stack gap="md">
        <ul className={classes.list}>
          {issued.map((certificate) => {
            const { id, keyName, usableUntil, notAfter } = certificate;
            const ending = isEnding(certificate, now);
            const { tone, word } = ending ? expiring : certificateStatusWords.issued;
            const end = usableUntil ?? notAfter;
            return (
              <li key={id}>
                <Group gap="sm">
                  <Text fw={600}>{keyName}</Text>
                  <StatusBadge tone={tone}>{word}</StatusBadge>
                  {end && (
                    <Text size="sm">
                      ends <RelativeTime value={end} />
                    </Text>
                  )}
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
      </Stack>
    </Panel>
  );
}

function placed(stretch: Stretch = { from: 0, to: 0 }) {
  return { insetInlineStart: `${stretch.from}%`, width: `${stretch.to - stretch.from}%` };
}
