import { afterAll, describe, expect, it } from 'vitest';
import { isSecretColumn } from '../../../src/app/draft/columns/secret-columns.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

describe('a column of passwords, keys or tokens', () => {
  it.each(
    `password Password passwd pass pwd user_pass userPassword password_hash PasswordHash passwordhash hashed_password
     encrypted_password password_md5 password_sha1 password2 old_password salt password_salt passwordSalt owner.password
     users[].password_hash api_key apiKey APIKey api_token token access_token accessToken refresh_token remember_token
     session_token session_id reset_password_token csrf_token secret client_secret clientSecret totp_secret secret_key private_key auth_key
     Passwort passwort_hash Kennwort API-Schlüssel api_schluessel mot_de_passe motdepasse mdp mdp_hash jeton_api cle_api
     contraseña contrasena_hash clave_api clave_secreta wachtwoord wachtwoord_hash api_sleutel senha`.split(
      /\s+/,
    ),
  )('%s is one', (name) => {
    expect(isSecretColumn(name)).toBe(true);
  });

  it.each(
    `id email name first_name passport passport_number Reisepass passenger season_pass boarding_pass compass pass_rate passed
     password_changed_at last_password_change tokens token_count secretary secret_santa key customer_key clave public_key
     result salty Salzburg hash address session session_count description notes owner.name password.owner`.split(
      /\s+/,
    ),
  )('%s is none', (name) => {
    expect(isSecretColumn(name)).toBe(false);
  });
});

describe('a draft', () => {
  it('makes no field, key or question of passwords and tokens, and says so', async () => {
    const made = await drafted(
      'user_id,first_name,email,password_hash,salt,api_token,Plan\n7,Ada,ada@example.com,$2y$10$abc,x1,tok_a,gold\n8,Bob,bob@example.com,$2y$10$def,x2,tok_b,free\n9,Cleo,cleo@example.com,N/A,x3,tok_c,gold\n',
    );
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(Object.keys(pipeline.import.mapping.mapping.customFields ?? {})).toEqual(['Plan']);
    expect(made.draft.leftOut).toEqual(
      ['password_hash', 'salt', 'api_token'].map((column) => ({
        column,
        why: 'a password, a key or a token',
      })),
    );
    expect(made.draft.mapping.text).toContain(
      '#   a password, a key or a token: password_hash, salt, api_token',
    );
    const rest = made.draft.mapping.text.split('# Left out:')[0];
    expect(rest).not.toMatch(/password|salt|token/);
  });

  it('offers no token as the key', async () => {
    const { draft } = await drafted(
      'first_name,email,api_token\nAda,ada@example.com,a1\nBob,bob@example.com,b2\n',
    );
    expect(draft.todos.map(({ question }) => question).join()).not.toContain('api_token');
  });
});
