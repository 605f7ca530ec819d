import { Button, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { linkCodeFacts } from '../../../../server/domain/sharing/linkCodeFacts.ts';
import { describeError } from '../../graphql/describeError.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import type { Service } from '../integration/useIntegration.ts';
import { generateSandboxLinkCodeMutation, type GeneratedLinkCode } from '../sandbox/sandboxMutations.ts';
import { latestLinkCodes, sandboxContext, sandboxLinkCodesQuery, type Sandbox } from '../sandbox/sandboxQueries.ts';
import { choiceWords, nextChoice, type LinkCodeChoice } from './linkCodeChoice.ts';
import { LinkCodeForm } from './LinkCodeForm.tsx';
import classes from './LinkCodes.module.css';
import { NewLinkCode } from './NewLinkCode.tsx';

type LinkCodeActProps = { clientId: string; sandbox: Sandbox; service: Service };

/** Plays the user: generates a link code as the last one with one click, or as chosen, and follows it until it is redeemed. */
export function LinkCodeAct({ clientId, sandbox, service }: LinkCodeActProps) {
  const [{ fetching }, generate] = useMutation(generateSandboxLinkCodeMutation);
  const [generated, setGenerated] = useState<GeneratedLinkCode | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [{ data }] = usePolledQuery({
    query: sandboxLinkCodesQuery,
    variables: latestLinkCodes(clientId),
    // The operator's back end redeems the code, so the page has to poll for it.
    whileTrue: ({ sandboxLinkCodes }) => sandboxLinkCodes.edges.some(({ node }) => linkCodeFacts[node.state].isRedeemable),
    context: sandboxContext,
  });
  const codes = data?.sandboxLinkCodes.edges.map(({ node }) => node) ?? [];
  const choice = nextChoice(codes[0], sandbox.grantableScopes);

  async function generateAs({ scopes, ...rest }: LinkCodeChoice) {
    setProblem(null);
    const { data: answer, error } = await generate({ input: { clientId, ...rest, scopes: [...scopes] } });
    if (error || !answer) return setProblem(describeError(error).message);
    setGenerated(answer.generateSandboxLinkCode);
  }

  return (
    <section aria-label="Link codes" className={classes.act}>
      {problem && <ErrorMessage message={problem} />}
      <div className={classes.line}>
        <Button size="xs" loading={fetching} onClick={() => void generateAs(choice)}>
          Generate link code
        </Button>
        <Text size="sm" c="dimmed">
          {choiceWords(choice, sandbox.grantableScopes)}
        </Text>
        <Button size="xs" variant="default" onClick={() => setChoosing(true)}>
          Choose what it shares
        </Button>
      </div>
      {generated && (
        <NewLinkCode key={generated.id} generated={generated} state={codes.find(({ id }) => id === generated.id)} service={service} />
      )}
      <Modal
        opened={choosing}
        onClose={() => setChoosing(false)}
        size="lg"
        title="What should the link code share?"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <LinkCodeForm
          {...{ clientId, sandbox, choice }}
          scopes={service.scopes}
          onGenerated={(code) => {
            setGenerated(code);
            setChoosing(false);
          }}
        />
      </Modal>
    </section>
  );
}
