"""Seals texts with AES-256-GCM (the package ``cryptography``, part of the extra ``llm``)."""

import base64
import hashlib
import secrets
from binascii import Error as NotBase64

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from graph.tenancy.models import Unsealable

_NONCE_BYTES = 12  # as NIST SP 800-38D recommends; random, since few texts are ever sealed with one key


class AesSealing:
    """Fulfils ``graph.tenancy.models.Sealing``; lives as long as the process.

    Args:
        key: At least 32 random characters, from which the key of the cipher is made.
    """

    def __init__(self, key: str) -> None:
        self._cipher = AESGCM(hashlib.sha256(key.encode()).digest())

    def seal(self, text: str, *, purpose: str) -> str:
        """Return nonce, ciphertext and tag as base64; the tag also authenticates the purpose."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return base64.b64encode(nonce + self._cipher.encrypt(nonce, text.encode(), purpose.encode())).decode()

    def unseal(self, sealed: str, *, purpose: str) -> str:
        """Return the text.

        Raises:
            Unsealable: The key or the purpose is another, or the text was changed.
        """
        try:
            raw = base64.b64decode(sealed, validate=True)
            nonce, text = raw[:_NONCE_BYTES], raw[_NONCE_BYTES:]
            return self._cipher.decrypt(nonce, text, purpose.encode()).decode()
        except (InvalidTag, NotBase64, ValueError) as error:
            raise Unsealable from error
