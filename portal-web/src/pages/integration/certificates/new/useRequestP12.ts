import { useState } from 'react';
import { useMutation } from 'urql';
import { graphql } from '../../../../graphql/graphql.ts';
import { revokeCertificateMutation } from '../revokeCertificateMutation.ts';
import { useFreshPasskey } from '../../../../features/passkey/useFreshPasskey.ts';
import { useInHand } from './inHand.ts';

const requestP12Mutation = graphql(`
  mutation RequestP12($input: RequestP12Input!) {
    requestP12(input: $input) {
      certificate {
        id
        keyName
      }
      claimToken
    }
  }
`);

/**
 * Requesting a P12 package, whose claim token this page then holds. `request` takes the certificate that the new one is to replace, if it is
 * still in use: it is revoked first, so that its slot is free.
 */
export function useRequestP12(clientId: string, onRequested: () => void) {
  const [, requestP12] = useMutation(requestP12Mutation);
  const [, revokeCertificate] = useMutation(revokeCertificateMutation);
  const confirmed = useFreshPasskey();
  const [, hold] = useInHand(clientId);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function attempt(replaced: string | null): Promise<string | null> {
    if (replaced !== null) {
      const input = { certificateId: replaced, reason: 'cessation_of_operation' } as const;
      const { error: refusal } = await confirmed(() => revokeCertificate({ input }));
      if (refusal) return refusal.message;
    }
    const { data, error } = await confirmed(() => requestP12({ input: { clientId } }));
    if (error) return error.message;
    const { certificate, claimToken } = data.requestP12;
    hold({ way: 'p12', certificateId: certificate.id, keyName: certificate.keyName, claimToken, claimed: null });
    return null;
  }

  async function request(replaced: string | null = null) {
    setBusy(true);
    setProblem(null);
    const found = await attempt(replaced);
    setBusy(false);
    setProblem(found);
    onRequested();
  }

  return { request, busy, problem };
}
