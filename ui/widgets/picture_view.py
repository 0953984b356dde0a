"""The photo of the table."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.platform.qimages import to_qimage
from ui.widgets.theme import BODY_PX, CORNER_PX, Theme, text_px
from vision.imaging.arrays import ImageU8


class PictureView(QWidget):
    """Shows one picture as large as fits, in its own proportions; a sentence if there is none."""

    def __init__(self, theme: Theme, empty_text: str) -> None:
        super().__init__()
        self._theme = theme
        self._empty_text = empty_text
        self._scale = 1.0
        self._picture: QPixmap | None = None
        self._fitted: QPixmap | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 160)

    def show_picture(self, picture_bgr: ImageU8 | None) -> None:
        """Show this picture, (H, W, 3) BGR, or none."""
        self._picture = None if picture_bgr is None else QPixmap.fromImage(to_qimage(picture_bgr))
        self._fitted = None
        self.update()

    def set_empty_text(self, text: str) -> None:
        """Show this text while there is no picture."""
        self._empty_text = text
        self.update()

    def set_look(self, theme: Theme, scale: float) -> None:
        """Take the colours and the size of text from the window."""
        self._theme, self._scale = theme, scale
        self.update()

    def shown_rect(self) -> QRect:
        """Return where the picture is drawn, at the top of the view; empty without a picture."""
        if self._picture is None:
            return QRect()
        size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        return QRect((self.width() - size.width()) // 2, 0, size.width(), size.height())

    def sizeHint(self) -> QSize:
        """Return the size that suits a laptop's window."""
        return QSize(820, 520)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture with round corners."""
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        frame = QPainterPath()
        if self._picture is None:
            frame.addRoundedRect(QRectF(self.rect()), CORNER_PX, CORNER_PX)
            painter.fillPath(frame, QColor(self._theme.card))
            font = QFont(self.font())
            font.setPixelSize(text_px(BODY_PX, self._scale))
            painter.setFont(font)
            painter.setPen(QColor(self._theme.quiet))
            inner = self.rect().adjusted(24, 24, -24, -24)
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._empty_text)
            return
        where = self.shown_rect()
        frame.addRoundedRect(QRectF(where), CORNER_PX, CORNER_PX)
        painter.setClipPath(frame)
        painter.drawPixmap(where, self._fitted_to(where.size()))

    def _fitted_to(self, size: QSize) -> QPixmap:
        """Return the picture at this size. It is scaled once and kept, as photos are large."""
        assert self._picture is not None
        pixels = size * self.devicePixelRatioF()
        if self._fitted is None or self._fitted.size() != pixels:
            self._fitted = self._picture.scaled(
                pixels, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
        return self._fitted
