"""Reads TensorFlow event files without any code of Aji."""
import struct

TABLE = []
for number in range(256):
    for _ in range(8):
        number = number >> 1 ^ (0x82F63B78 if number & 1 else 0)
    TABLE.append(number)


def masked(data):
    """Returns the checksum of these files: CRC-32C, rotated by 15 bits, plus a constant."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def frames(data):
    """Returns the messages of the whole frames at the beginning of a file."""
    found, at = [], 0
    while at + 16 <= len(data):
        length, crc = struct.unpack_from("<QI", data, at)
        if masked(data[at : at + 8]) != crc or at + 16 + length > len(data):
            break
        message = data[at + 12 : at + 12 + length]
        if struct.unpack_from("<I", data, at + 12 + length)[0] != masked(message):
            break
        found.append(message)
        at += 16 + length
    return found
