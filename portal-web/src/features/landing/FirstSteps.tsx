import { useQuery } from 'urql';
import { serviceQuery } from '../../graphql/serviceQuery.ts';
import classes from './landing.module.css';

/** What a newcomer does, in order; whoever is `registered` begins with the second step. */
export function FirstSteps({ registered = false }: { registered?: boolean }) {
  const [{ data }] = useQuery({ query: serviceQuery });
  const limits = data?.service.limits;
  const records = limits
    ? `${limits.corpusOrders} orders and ${limits.corpusVehicles} stock vehicles`
    : 'synthetic orders and stock vehicles';
  return (
    <ol className={classes.plain}>
      {!registered && (
        <li>
          <strong>Register</strong> with your e-mail address and make a passkey. There are no passwords.
        </li>
      )}
      <li>
        <strong>Describe your integration</strong> and ask for the smallest set of scopes. Its sandbox is filled with {records}, as far as
        the scopes allow.
      </li>
      <li>
        <strong>Upload a certificate request.</strong> The private key never leaves your machine.
      </li>
      <li>
        <strong>Pull</strong> with curl, or with the client you are writing.
      </li>
    </ol>
  );
}
