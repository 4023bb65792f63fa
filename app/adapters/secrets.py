"""Finds credentials in texts, and seals stored keys of language models."""

import base64
import hashlib
import importlib
import inspect
import pkgutil
import re
import secrets
from binascii import Error as NotBase64
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from graph.tenancy.models import Unsealable

# IP addresses are not secrets. The time of the others grows with the square of the text's length (12 s for 32,000
# slashes); patterns below with bounded cost replace them.
_LEFT_OUT = {"IPPublicDetector", "BasicAuthDetector", "JwtTokenDetector", "NpmDetector", "OpenAIDetector"}

# A quick check: a credential is one long word, or follows a word such as "password".
_WORTH_A_LOOK = re.compile(
    r"[A-Za-z0-9_\-+/=.~]{16}|://|-----BEGIN|pass(?:word|wd|phrase|wort|code)|secret|\bpwd\b", re.IGNORECASE
)
_VALUE = r"[\"'`]?(?P<value>(?=\S{0,99}[0-9!@#$%^&*+=])[^\s\"'`,;]{8,100})"
_MORE: Mapping[str, re.Pattern[str]] = {
    "API key": re.compile(
        r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_\-]{20,}|rk_[A-Za-z0-9_\-]{20,}|hf_[A-Za-z0-9]{30,}|AIza[A-Za-z0-9_\-]{35}"
        r"|gsk_[A-Za-z0-9]{40,}|pa-[A-Za-z0-9_\-]{40,}|xai-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,})(?![A-Za-z0-9])"
    ),
    "GitHub token": re.compile(r"\bgithub_pat_[A-Za-z0-9_]{40,}"),
    "Password": re.compile(
        rf"\b(?:password|passwd|passphrase|pwd|passwort|passcode)\b(?:\s+(?:is|was|ist)|\s?[:=])\s{{0,3}}{_VALUE}",
        re.IGNORECASE,
    ),
    "Secret": re.compile(
        rf"\b(?:api[ _-]?key|secret(?:[ _-]?key)?|(?:access|auth|bearer|refresh)[ _-]?token|client[ _-]?secret)\b"
        rf"(?:\s+(?:is|was)|\s?[:=])\s{{0,3}}{_VALUE}",
        re.IGNORECASE,
    ),
    "Bearer token": re.compile(r"\bBearer\s+(?P<value>[A-Za-z0-9_\-.=+/]{20,})"),
    "JSON Web Token": re.compile(
        r"(?<![A-Za-z0-9_\-])eyJ[A-Za-z0-9_\-]{10,4000}\.eyJ[A-Za-z0-9_\-]{10,8000}\.[A-Za-z0-9_\-]{10}"
    ),
    "NPM token": re.compile(r"\bnpm_[A-Za-z0-9]{36}|_authToken=\s{0,3}[A-Fa-f0-9]{8}-[A-Fa-f0-9\-]{27}"),
    "Connection string": re.compile(r"://[^\s/:@]{1,64}:(?P<value>[^\s/@]{3,100})@[^\s/]"),
}
# Placeholders of credentials in templates and documentation.
_PLACEHOLDER = re.compile(
    r"pass(?:word|wd)?$|pwd$|secret$|[<>{}()\[\]]|\$\w|\*\*|xxx|\.\.\.|your|example|placeholder|change_?me|dummy|sample"
    r"|os\.|env|test_?(?:key|password)$",
    re.IGNORECASE,
)


class SecretPatterns:
    """Implements ``graph.core.ports.SecretDetector``; safe to use from any thread."""

    def __init__(self) -> None:
        self._patterns = _patterns()

    def kinds_in(self, text: str) -> Sequence[str]:
        """Return the distinct kinds of credentials in a text."""
        if not _WORTH_A_LOOK.search(text):
            return ()
        found = (kind for kind, pattern in self._patterns if any(map(_is_real, pattern.finditer(text))))
        return tuple(dict.fromkeys(found))


def _is_real(match: re.Match[str]) -> bool:
    value = match.groupdict().get("value")
    return value is None or _PLACEHOLDER.search(value) is None


@cache
def _patterns() -> Sequence[tuple[str, re.Pattern[str]]]:
    return (*_MORE.items(), *_library_patterns())


def _library_patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    from detect_secrets import plugins  # noqa: PLC0415 - half a second, spent only where the guard is on
    from detect_secrets.plugins.base import RegexBasedDetector  # noqa: PLC0415

    for found in pkgutil.iter_modules(plugins.__path__):
        module = importlib.import_module(f"{plugins.__name__}.{found.name}")
        for name, kind in inspect.getmembers(module, inspect.isclass):
            is_own = kind.__module__ == module.__name__ and name not in _LEFT_OUT
            if is_own and issubclass(kind, RegexBasedDetector) and not inspect.isabstract(kind):
                detector: RegexBasedDetector = kind()
                yield from ((str(detector.secret_type), pattern) for pattern in detector.denylist)


_NONCE_BYTES = 12  # recommended by NIST SP 800-38D; random nonces suffice for few texts per key


class AesSealing:
    """Implements ``graph.tenancy.models.Sealing``; lives as long as the process.

    Args:
        key: At least 32 random characters, from which the cipher's key is derived.
    """

    def __init__(self, key: str) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - part of an extra

        self._cipher = AESGCM(hashlib.sha256(key.encode()).digest())

    def seal(self, text: str, *, purpose: str) -> str:
        """Return nonce, ciphertext and tag as base64; the tag also authenticates the purpose."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return base64.b64encode(nonce + self._cipher.encrypt(nonce, text.encode(), purpose.encode())).decode()

    def unseal(self, sealed: str, *, purpose: str) -> str:
        """Return the decrypted text.

        Raises:
            Unsealable: The key or purpose differs, or the text was altered.
        """
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - part of an extra

        try:
            raw = base64.b64decode(sealed, validate=True)
            nonce, text = raw[:_NONCE_BYTES], raw[_NONCE_BYTES:]
            return self._cipher.decrypt(nonce, text, purpose.encode()).decode()
        except (InvalidTag, NotBase64, ValueError) as error:
            raise Unsealable from error
