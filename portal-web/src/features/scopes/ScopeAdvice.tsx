import { Text } from '@mantine/core';
import { useQuery } from 'urql';
import { scopeAdviceQuery } from './scopeAdviceQuery.ts';
import { ScopeWarnings } from './ScopeWarnings.tsx';

/** The service's advice on the scopes chosen so far, before they are sent. `told` is a message that the form shows already. */
export function ScopeAdvice({ scopes, told }: { scopes: readonly string[]; told?: unknown }) {
  const [{ data }] = useQuery({ query: scopeAdviceQuery, variables: { scopes: [...scopes] }, pause: scopes.length === 0 });
  if (scopes.length === 0 || !data) return null;
  const { refusal, warnings } = data.scopeAdvice;
  return (
    <div role="status">
      {refusal && refusal !== told && (
        <Text size="sm" maw={640} mt="sm">
          {refusal}
        </Text>
      )}
      <ScopeWarnings warnings={warnings} />
    </div>
  );
}
