import { Anchor, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link, useLocation } from 'react-router';
import { paths, signInPath } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { fillSample, textOfSample } from './fillSample.ts';
import { LastCall } from './LastCall.tsx';
import { languages, type Language, type Samples } from './referenceTypes.ts';
import classes from './SamplePanel.module.css';
import { languageNames, trustCommands } from './sampleWords.ts';
import type { Reader } from './useReader.ts';

/** An operation in the reader's language and with the reader's own values, and the reader's last call of it. */
export function SamplePanel({ reader, samples }: { reader: Reader; samples: Samples }) {
  const [kept, keep] = useLocalStorage<Language>({ key: 'svc.docs.language', defaultValue: 'curl', getInitialValueInEffect: false });
  const language = languages.includes(kept) ? kept : 'curl';
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Language of the sample"
        size="xs"
        fullWidth
        value={language}
        onChange={keep}
        data={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
      {reader.values && (
        <div className={classes.sample}>
          <pre>
            <code>
              {fillSample(samples[language], reader.values).map(([kind, text], place) => (
                // The pieces of a sample never change their places.
                // oxlint-disable-next-line react/no-array-index-key
                <span key={place} className={kind === '' ? undefined : classes[kind]}>
                  {text}
                </span>
              ))}
            </code>
          </pre>
          <div className={classes.copy}>
            <CopyButton value={textOfSample(samples[language], reader.values)} label="the sample" />
          </div>
        </div>
      )}
      <Values reader={reader} />
      {reader.developmentCa && (
        <Text size="xs" c="dimmed">
          This development service has a certificate of its own. Download{' '}
          <Anchor href={paths.developmentCa} download="ca.pem" inherit>
            ca.pem
          </Anchor>{' '}
          and run <code>{trustCommands[language]}</code> first.
        </Text>
      )}
      {reader.chosen && <LastCall choice={reader.chosen} reader={reader} />}
    </Stack>
  );
}

/** Whose values stand in the sample. */
function Values({ reader: { isSignedIn, choices, chosen, choose, unread, readAgain } }: { reader: Reader }) {
  const { pathname } = useLocation();
  if (unread === 'clients')
    return <ErrorMessage message="Your integrations could not be read, so the sample has placeholders." onRetry={readAgain} />;
  if (chosen)
    return (
      <NativeSelect
        label="Values of"
        size="xs"
        value={chosen.client.id}
        onChange={(event) => choose(event.currentTarget.value)}
        data={choices.map(({ words, client }) => ({ value: client.id, label: words }))}
      />
    );
  return (
    <Text size="xs" c="dimmed">
      {isSignedIn ? (
        <>
          The marked names and identifiers are placeholders.{' '}
          <Anchor component={Link} to={paths.newIntegration} inherit>
            Create an integration
          </Anchor>{' '}
          to have your own there.
        </>
      ) : (
        <>
          The marked names and identifiers are placeholders.{' '}
          <Anchor component={Link} to={signInPath(pathname)} inherit>
            Sign in
          </Anchor>{' '}
          to have your own there.
        </>
      )}
    </Text>
  );
}
