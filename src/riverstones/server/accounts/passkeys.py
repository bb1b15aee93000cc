"""Passkeys (WebAuthn): an account without e-mail or password.

The challenge of each ceremony is sent to the browser and back in a signed ticket, so that the server stores only the
tickets that were used.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import Any, TypedDict

import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
)

from riverstones.server.accounts.accounts import Accounts
from riverstones.server.accounts.person import Person
from riverstones.server.errors import ServerError, ServerErrorCode
from riverstones.server.settings import Settings
from riverstones.server.storage import Store
from riverstones.server.storage.accounts import StoredPasskey

TICKET_MS = 5 * 60_000
"""The lifetime of a ticket."""

USED_KEPT = 10_000
"""The most used tickets that are remembered."""


class Ceremony(TypedDict):
    """WebAuthn options for the browser, and a ticket to send back with the credential."""

    ticket: str
    options: dict[str, Any]


class Passkeys:
    """Registers passkeys and signs people in with them."""

    def __init__(self, settings: Settings, store: Store, accounts: Accounts) -> None:
        self._settings = settings
        self._store = store
        self._accounts = accounts
        self._used: OrderedDict[str, None] = OrderedDict()

    def _ticket(self, purpose: str, challenge: bytes) -> str:
        until = self._settings.now_ms() + TICKET_MS
        return self._accounts.signer.sign(purpose, f"{bytes_to_base64url(challenge)}:{until}")

    def _challenge(self, purpose: str, ticket: str) -> bytes:
        """The challenge of a ticket; raises `PASSKEY_NOT_VALID` if it is forged, expired or used."""
        value = self._accounts.signer.check(purpose, ticket)
        if value is None or value in self._used:
            raise ServerError(ServerErrorCode.PASSKEY_NOT_VALID)
        challenge, _, until = value.partition(":")
        if int(until) < self._settings.now_ms():
            raise ServerError(ServerErrorCode.PASSKEY_NOT_VALID)
        self._used[value] = None
        if len(self._used) > USED_KEPT:
            self._used.popitem(last=False)
        return base64url_to_bytes(challenge)

    async def register_options(self, person: Person, domain: str) -> Ceremony:
        """WebAuthn options to create a passkey for a person."""
        known = await self._store.accounts.passkeys_of(person.id)
        options = webauthn.generate_registration_options(
            rp_id=domain,
            rp_name="Riverstones",
            user_id=person.id.encode(),
            user_name=person.name,
            authenticator_selection=AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.REQUIRED),
            exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(key)) for key in known],
        )
        ticket = self._ticket(f"register {person.id}", options.challenge)
        return {"ticket": ticket, "options": json.loads(webauthn.options_to_json(options))}

    async def register(self, person: Person, ticket: str, credential: dict[str, Any], domain: str, origin: str) -> None:
        """Store a new passkey; the person has an account from then on. Raises `PASSKEY_NOT_VALID`."""
        challenge = self._challenge(f"register {person.id}", ticket)
        try:
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=domain,
                expected_origin=origin,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError):
            raise ServerError(ServerErrorCode.PASSKEY_NOT_VALID) from None
        credential_id = bytes_to_base64url(verified.credential_id)
        passkey = StoredPasskey(credential_id, person.id, verified.credential_public_key, verified.sign_count)
        if not await self._store.accounts.add_passkey(passkey, self._settings.now_ms()):
            raise ServerError(ServerErrorCode.PASSKEY_NOT_VALID)
        self._accounts.forget(person.id)

    def login_options(self, domain: str) -> Ceremony:
        """WebAuthn options to sign in with any passkey for this domain."""
        options = webauthn.generate_authentication_options(rp_id=domain)
        ticket = self._ticket("login", options.challenge)
        return {"ticket": ticket, "options": json.loads(webauthn.options_to_json(options))}

    async def login(self, ticket: str, credential: dict[str, Any], domain: str, origin: str) -> str:
        """The id of the person whose passkey this is; raises `PASSKEY_NOT_VALID`."""
        challenge = self._challenge("login", ticket)
        name = credential.get("id")
        if not isinstance(name, str) or not name.isascii() or not name.isprintable():
            raise ServerError(ServerErrorCode.PASSKEY_NOT_VALID)
        passkey = await self._store.accounts.passkey(name)
        if passkey is None:
            raise ServerError(ServerErrorCode.PASSKEY_NOT_VALID)
        try:
            verified = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=domain,
                expected_origin=origin,
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.sign_count,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError):
            raise ServerError(ServerErrorCode.PASSKEY_NOT_VALID) from None
        await self._store.accounts.count_passkey_use(name, verified.new_sign_count)
        return passkey.person
