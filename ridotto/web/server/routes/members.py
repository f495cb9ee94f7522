"""Membership: passkeys, recovery codes, and signing in and out. A guest becomes a member, and keeps all that is theirs.

Nothing here says whether somebody is a member: a wrong passkey, a wrong code and one that is spent are refused alike.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any

from starlette.responses import JSONResponse, RedirectResponse, Response

from ridotto.club import passkeys
from ridotto.club.passkeys import BadPasskey, RelyingParty
from ridotto.club.recovery import new_codes
from ridotto.present.narrator import clean_name, mark
from ridotto.web import identity
from ridotto.web.errors import Forbidden, NotNow, RequestError, TooMany
from ridotto.web.identity import Keys, Person, parse_name
from ridotto.web.live.drawing import in_thread
from ridotto.web.live.table_cache import TableCache
from ridotto.web.pages import club as pages
from ridotto.web.server.rate_limits import RateLimits
from ridotto.web.server.requests import Context, Endpoint
from ridotto.web.server.table_form import is_on
from ridotto.web.settings import Settings
from ridotto.web.storage import Storage
from ridotto.web.storage.members import MOST_PASSKEYS


class MemberRoutes:
    def __init__(self, settings: Settings, storage: Storage, tables: TableCache, keys: Keys, limits: RateLimits) -> None:
        self.settings, self.storage, self.tables, self.keys, self.limits = settings, storage, tables, keys, limits
        self.members = storage.members

    def endpoints(self) -> list[Endpoint]:
        if not self.settings.club:
            return []
        return [
            Endpoint("/me", self.show),
            Endpoint("/me/passkeys/challenge", self.ask_for_passkey, "POST"),
            Endpoint("/me/passkeys", self.add_passkey, "POST"),
            Endpoint("/me/passkeys/remove", self.remove_passkey, "POST"),
            Endpoint("/me/codes", self.make_codes, "POST"),
            Endpoint("/me/leave", self.leave, "POST"),
            Endpoint("/signin", self.show_sign_in),
            Endpoint("/signin/challenge", self.ask_for_sign_in, "POST"),
            Endpoint("/signin/passkey", self.sign_in_by_passkey, "POST"),
            Endpoint("/signin/code", self.sign_in_by_code, "POST"),
        ]

    # One's own page.

    async def show(self, context: Context) -> Response:
        """Who the reader is here: their name, their passkeys and codes, or how a guest becomes a member."""
        return await context.page(partial(pages.me, context.reader, await self._account(context)))

    async def _account(self, context: Context, codes: tuple[str, ...] = ()) -> pages.AccountPage:
        person = await self.storage.people.load(context.person) or context.visitor.person
        return pages.AccountPage(
            is_member=person.is_member,
            is_hidden=person.is_hidden,
            passkeys=tuple(await self.members.passkeys(person.id)) if person.is_member else (),
            codes_left=await self.members.codes_left(person.id) if person.is_member else 0,
            codes=codes,
            may_have_passkeys=self._party(context) is not None,
            local_address=context.local_address,
            now=self.storage.now,
        )

    def _party(self, context: Context) -> RelyingParty | None:
        return passkeys.relying_party(context.origin)

    def _secure_party(self, context: Context) -> RelyingParty:
        party = self._party(context)
        if party is None:
            raise NotNow(mark("browsers have passkeys by https alone, at an address that is a name"))
        return party

    # Becoming a member.

    async def ask_for_passkey(self, context: Context) -> Response:
        """What the browser is asked when somebody wants a passkey. A guest says their name first."""
        form = await context.form()
        party = self._secure_party(context)
        self._check_rate(context)
        person = await self._named(context, str(form.get("name", "")))
        known = [one.id for one in await self.members.passkeys(person.id)]
        if len(known) >= MOST_PASSKEYS:
            raise NotNow(mark("a member has {most} passkeys at most: remove one first"), most=MOST_PASSKEYS)
        challenge = passkeys.new_challenge()
        await self.members.add_challenge(person.id, "register", challenge)
        options = await in_thread(passkeys.registration_options, party, person.id, person.name, challenge, known)
        return JSONResponse(options)

    async def add_passkey(self, context: Context) -> Response:
        """A passkey that a browser has made: whoever has it is a member."""
        form = await context.form()
        party = self._secure_party(context)
        challenge = await self.members.take_challenge(context.person, "register")
        person = await self.storage.people.load(context.person)
        if challenge is None or person is None:
            raise RequestError(mark("that took too long: try again"))
        try:
            made = await in_thread(passkeys.verify_registration, party, str(form.get("credential", "")), challenge)
        except BadPasskey as error:
            raise context.guess(Forbidden(mark("this passkey was not accepted"))) from error
        await self._check_new_member(context, person)
        label = clean_name(str(form.get("label", "")))
        if not await self.members.add_passkey(person.id, made, label):
            raise Forbidden(mark("this passkey was not accepted"))
        return self._marked(context, JSONResponse({"to": "/me"}), await self._mark(context, person.id))

    async def make_codes(self, context: Context) -> Response:
        """New recovery codes, which are shown once; those of before are void."""
        form = await context.form()
        self._check_rate(context)
        person = await self._named(context, str(form.get("name", "")))
        await self._check_new_member(context, person)
        codes = await in_thread(new_codes)
        await self.members.replace_codes(person.id, codes)
        browser = await self._mark(context, person.id)
        context = context.after_change(await self.storage.people.load(person.id) or person)
        page = await context.page(partial(pages.me, context.reader, await self._account(context, tuple(codes))))
        return self._marked(context, page, browser)

    async def remove_passkey(self, context: Context) -> Response:
        """Take away the passkey of a device that was lost."""
        form = await context.form()
        passkey = str(form.get("id", ""))
        if not passkeys.ID.fullmatch(passkey) or not await self.members.remove_passkey(context.person, passkey):
            raise NotNow(mark("this is your last way to sign in: make recovery codes first"))
        return RedirectResponse("/me", 303)

    async def _named(self, context: Context, name: str) -> Person:
        """The visitor, with the name that a member must have."""
        name = parse_name(name)
        changes: dict[str, Any] = {"name": name} if name else {}
        person = await context.save_visitor(**changes)
        if not person.name:
            raise RequestError(mark("a member has a name: by it others find them"))
        if not await self.storage.people.is_name_own(person.id):  # of before names were somebody's alone
            if not await self.storage.people.save(person, claims_name=True):
                raise await context.name_taken(person.name)
        return person

    async def _check_new_member(self, context: Context, person: Person) -> None:
        """Refuse an address from which too many guests become members."""
        if not person.is_member:
            key = f"members address {self.keys.anonymous(context.address)}"
            if wait := await self.storage.token_buckets.take({key: self.settings.new_members}):
                raise TooMany(mark("too many new members: wait a moment"), wait=wait)

    def _check_rate(self, context: Context) -> None:
        if wait := self.limits.sign_ins.take(context.address):
            raise TooMany(mark("too many requests: wait a moment"), wait=wait)

    # Signing in.

    async def show_sign_in(self, context: Context) -> Response:
        """The ways to sign in."""
        guest_tables = await self.members.guest_tables(context.person)
        party = self._party(context)
        return await context.page(
            partial(pages.sign_in, context.reader, guest_tables, party is not None, context.local_address)
        )

    async def ask_for_sign_in(self, context: Context) -> Response:
        """What the browser is asked when somebody signs in by a passkey: the same for everybody."""
        await context.form()
        party = self._secure_party(context)
        self._check_rate(context)
        challenge = passkeys.new_challenge()
        await self.members.add_challenge(context.person, "signin", challenge)
        return JSONResponse(await in_thread(passkeys.sign_in_options, party, challenge))

    async def sign_in_by_passkey(self, context: Context) -> Response:
        """Sign in by a passkey's answer to the visitor's own challenge, which it answers once."""
        form = await context.form()
        party = self._secure_party(context)
        context.check_guesses()
        answer = str(form.get("credential", ""))
        challenge = await self.members.take_challenge(context.person, "signin")
        refused = Forbidden(mark("this passkey was not accepted"))
        try:
            owned = await self.members.passkey(passkeys.passkey_id(answer))
            if challenge is None or owned is None:
                raise context.guess(refused)
            person, passkey = owned
            uses = await in_thread(passkeys.verify_sign_in, party, answer, challenge, passkey)
        except BadPasskey as error:
            raise context.guess(refused) from error
        if not await self.members.use_passkey(passkey, uses):
            raise context.guess(refused)
        return await self._signed_in(context, person, is_on(form, "bring"), JSONResponse({"to": "/"}))

    async def sign_in_by_code(self, context: Context) -> Response:
        """Sign in by a recovery code, which is spent by it."""
        form = await context.form()
        context.check_guesses()
        self._check_rate(context)
        person = await self.members.use_code(str(form.get("code", "")))
        if person is None:
            raise context.guess(Forbidden(mark("this code was not accepted: each is good once")))
        return await self._signed_in(context, person, is_on(form, "bring"), RedirectResponse("/me", 303))

    async def _signed_in(self, context: Context, id: str, brings_tables: bool, response: Response) -> Response:
        """Let the browser be somebody from now on. Who it was before comes along, if that was a guest and they want it."""
        person = await self.storage.people.load(id)
        if person is None:
            raise Forbidden(mark("this passkey was not accepted"))
        if brings_tables and not context.visitor.is_new:
            for table in await self.members.adopt(context.person, person.id):
                if self.tables.cached(table) is not None:
                    await self.tables.load(table)
        context.set_cookie(response, person.generation, person.id)
        return self._marked(context, response, await self._mark(context, person.id))

    async def _mark(self, context: Context, person: str) -> str:
        """Note from which browser and address somebody comes; what that browser keeps."""
        browser = context.request.cookies.get(identity.BROWSER_COOKIE, "")
        if not identity.BROWSER.fullmatch(browser):
            browser = secrets.token_hex(16)
        marks = {"browser": self.keys.fingerprint(browser), "address": self.keys.anonymous(context.address)}
        await self.members.add_marks(person, marks)
        return browser

    def _marked(self, context: Context, response: Response, browser: str) -> Response:
        response.set_cookie(
            identity.BROWSER_COOKIE,
            browser,
            max_age=identity.COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            secure=context.is_secure,
        )
        return response

    async def leave(self, context: Context) -> Response:
        """Sign out on this device alone: somebody else may be a guest here then."""
        await context.form()
        person = await self.storage.people.load(context.person)
        if person is None or not person.is_member:
            raise NotNow(mark("a guest who signs out has no way back: become a member first"))
        response = RedirectResponse("/", 303)
        response.delete_cookie(identity.COOKIE, httponly=True, samesite="lax")
        return response
